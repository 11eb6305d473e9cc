package dev.berth.policy.quota;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import java.util.List;
import java.util.stream.Stream;

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

  public static boolean covers(JsonObject quota, GroupResource resource, JsonObject object) {
    JsonObject spec = quota.object("spec");
    List<String> scopes = spec.array("scopes").texts();
    List<JsonObject> selectors = spec.object("scopeSelector").array("matchExpressions").objects();
    if (scopes.isEmpty() && selectors.isEmpty()) {
      return true;
    }
    if (!resource.group().isEmpty() || !resource.resource().equals("pods")) {
      return false;
    }
    JsonObject pod = object.object("spec");
    return scopes.stream().allMatch(scope -> matches(scope, "Exists", List.of(), pod))
        && selectors.stream()
            .allMatch(selector ->
                matches(
                    selector.text("scopeName", ""),
                    selector.text("operator", ""),
                    selector.array("values").texts(),
                    pod));
  }

  private static boolean matches(
      String scope, String operator, List<String> values, JsonObject spec) {
    boolean deadline = spec.has("activeDeadlineSeconds");
    return switch (scope) {
      case "Terminating" -> deadline;
      case "NotTerminating" -> !deadline;
      case "BestEffort" -> isBestEffort(spec);
      case "NotBestEffort" -> !isBestEffort(spec);
      case "PriorityClass" -> matches(operator, values, spec.text("priorityClassName", ""));
      case "CrossNamespacePodAffinity" -> looksAtOtherNamespaces(spec.object("affinity"));
      default -> false;
    };
  }

  private static boolean matches(String operator, List<String> values, String name) {
    return switch (operator) {
      case "Exists" -> !name.isEmpty();
      case "DoesNotExist" -> name.isEmpty();
      case "In" -> values.contains(name);
      case "NotIn" -> !values.contains(name);
      default -> false;
    };
  }

  private static boolean isBestEffort(JsonObject spec) {
    return Qos.of(PodSpecView.read(spec)) == QosClass.BEST_EFFORT;
  }

  private static boolean looksAtOtherNamespaces(JsonObject affinity) {
    return Stream.of("podAffinity", "podAntiAffinity")
        .map(affinity::object)
        .flatMap(terms ->
            Stream.concat(
                terms.array("requiredDuringSchedulingIgnoredDuringExecution").objects().stream(),
                terms.array("preferredDuringSchedulingIgnoredDuringExecution").objects().stream()
                    .map(weighted -> weighted.object("podAffinityTerm"))))
        .anyMatch(term -> !term.array("namespaces").isEmpty() || term.has("namespaceSelector"));
  }
}
