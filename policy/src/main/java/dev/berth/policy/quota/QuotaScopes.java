package dev.berth.policy.quota;

import dev.berth.model.core.PodTree;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import java.util.List;
import java.util.Set;

/**
 * Which objects a quota is about. One with scopes is about pods or claims alone, and about those
 * that are in every scope. Of pods:
 *
 * <ul>
 *   <li>Terminating, NotTerminating: the pod has a deadline, or none.
 *   <li>BestEffort, NotBestEffort: by its class of service.
 *   <li>PriorityClass: by the name of its class; with a selector, by which one.
 *   <li>CrossNamespacePodAffinity: its affinity looks at pods of other namespaces.
 * </ul>
 *
 * <p>Of claims on volumes, VolumeAttributesClass: by the classes that the claim has or asks for.
 */
public final class QuotaScopes {
  private static final String CLAIMS = "VolumeAttributesClass";

  /** All scopes that there are. */
  public static final List<String> NAMES =
      List.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity",
          CLAIMS);

  private QuotaScopes() {}

  public static boolean covers(ResourceQuotaView quota, GroupResource resource, JsonObject object) {
    return quota.scopes().stream().allMatch(scope -> isIn(scope, resource, object));
  }

  /** Whether an object is one of those that a scope is about. */
  static boolean isIn(Scope scope, GroupResource resource, JsonObject object) {
    return switch (resource.toString()) {
      case "pods" -> isIn(scope, new PodTree(object));
      case "persistentvolumeclaims" ->
          scope.name().equals(CLAIMS)
              && matches(scope, PersistentVolumeClaimView.attributesClasses(object));
      default -> false;
    };
  }

  private static boolean isIn(Scope scope, PodTree pod) {
    return switch (scope.name()) {
      case "Terminating" -> pod.hasActiveDeadline();
      case "NotTerminating" -> !pod.hasActiveDeadline();
      case "BestEffort" -> isBestEffort(pod);
      case "NotBestEffort" -> !isBestEffort(pod);
      case "PriorityClass" -> {
        String name = pod.priorityClassName();
        yield matches(scope, name.isEmpty() ? Set.of() : Set.of(name));
      }
      case "CrossNamespacePodAffinity" -> looksAtOtherNamespaces(pod);
      default -> false;
    };
  }

  /** One of several names is enough; without any, what is not asked for is met. */
  private static boolean matches(Scope scope, Set<String> names) {
    return switch (scope.operator()) {
      case "Exists" -> !names.isEmpty();
      case "DoesNotExist" -> names.isEmpty();
      case "In" -> names.stream().anyMatch(scope.values()::contains);
      case "NotIn" -> names.isEmpty() || !scope.values().containsAll(names);
      default -> false;
    };
  }

  private static boolean isBestEffort(PodTree pod) {
    return Qos.of(pod.readSpec()) == QosClass.BEST_EFFORT;
  }

  private static boolean looksAtOtherNamespaces(PodTree pod) {
    return pod.podAffinityTerms().stream()
        .anyMatch(term -> !term.namespaces().isEmpty() || term.hasNamespaceSelector());
  }
}
