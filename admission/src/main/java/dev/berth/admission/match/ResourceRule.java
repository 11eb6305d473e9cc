package dev.berth.admission.match;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;

/**
 * A rule about requests: it matches if the operation, the group, the version, the resource and the
 * scope do, and the object's name where names are given. {@code *} matches everything.
 *
 * @param resources such as {@code pods}, {@code pods/status}, {@code *} or, with any resource in
 *     front of the slash, {@code pods/*}
 * @param names empty for all
 */
record ResourceRule(
    List<String> operations,
    List<String> groups,
    List<String> versions,
    List<String> resources,
    String scope,
    List<String> names) {
  private static final String ALL = "*";

  static ResourceRule read(JsonObject rule) {
    return new ResourceRule(
        rule.array("operations").texts(),
        rule.array("apiGroups").texts(),
        rule.array("apiVersions").texts(),
        rule.array("resources").texts(),
        rule.text("scope", ALL),
        rule.array("resourceNames").texts());
  }

  /**
   * @param served the resource as which the request is looked at: that of its path, or one that
   *     serves the same objects
   */
  boolean matches(AdmissionRequest request, Resource served) {
    return matchesScope(served)
        && has(operations, request.operation().name())
        && has(groups, served.kind().group())
        && has(versions, served.kind().version())
        && resources.stream().anyMatch(each -> isNamed(each, served, request.subresource()))
        && (names.isEmpty() || names.contains(request.name().name()));
  }

  private boolean matchesScope(Resource served) {
    return switch (scope) {
      case "Namespaced" -> served.isNamespaced();
      case "Cluster" -> !served.isNamespaced();
      default -> true;
    };
  }

  private static boolean has(List<String> values, String value) {
    return values.contains(ALL) || values.contains(value);
  }

  private static boolean isNamed(String rule, Resource served, String subresource) {
    int slash = rule.indexOf('/');
    String resource = slash < 0 ? rule : rule.substring(0, slash);
    String part = slash < 0 ? "" : rule.substring(slash + 1);
    return (resource.equals(ALL) || resource.equals(served.plural()))
        && (part.equals(ALL) || part.equals(subresource));
  }
}
