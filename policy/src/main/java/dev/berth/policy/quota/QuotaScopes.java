package dev.berth.policy.quota;

import dev.berth.model.core.PodTree;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;

/**
 * Which objects a quota is about. One with scopes is about pods alone, and about those that are in
 * every scope:
 *
 * <ul>
 *   <li>Terminating, NotTerminating: the pod has a deadline, or none.
 *   <li>BestEffort, NotBestEffort: by its class of service.
 *   <li>PriorityClass: by the name of its class; with a selector, by which one.
 *   <li>CrossNamespacePodAffinity: its affinity looks at pods of other namespaces.
 * </ul>
 */
public final class QuotaScopes {
  private QuotaScopes() {}

  public static boolean covers(ResourceQuotaView quota, GroupResource resource, JsonObject object) {
    if (quota.scopes().isEmpty()) {
      return true;
    }
    if (!resource.group().isEmpty() || !resource.resource().equals("pods")) {
      return false;
    }
    PodTree pod = new PodTree(object);
    return quota.scopes().stream().allMatch(scope -> isIn(scope, pod));
  }

  private static boolean isIn(Scope scope, PodTree pod) {
    return switch (scope.name()) {
      case "Terminating" -> pod.hasActiveDeadline();
      case "NotTerminating" -> !pod.hasActiveDeadline();
      case "BestEffort" -> isBestEffort(pod);
      case "NotBestEffort" -> !isBestEffort(pod);
      case "PriorityClass" -> matches(scope, pod.priorityClassName());
      case "CrossNamespacePodAffinity" -> looksAtOtherNamespaces(pod);
      default -> false;
    };
  }

  private static boolean matches(Scope scope, String name) {
    return switch (scope.operator()) {
      case "Exists" -> !name.isEmpty();
      case "DoesNotExist" -> name.isEmpty();
      case "In" -> scope.values().contains(name);
      case "NotIn" -> !scope.values().contains(name);
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
