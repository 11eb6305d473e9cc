package dev.berth.access.rbac;

import dev.berth.access.Action;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One permission of a role. It is about resources or about paths, never about both; a star stands
 * for everything.
 *
 * @param resources plurals, with a subresource behind a slash; {@code *}{@code /scale} is that
 *     subresource of every resource
 * @param resourceNames the objects that it is about; all if it is empty
 * @param nonResourceUrls paths; one that ends with a star is about all that begin so
 */
public record PolicyRule(
    List<String> verbs,
    List<String> apiGroups,
    List<String> resources,
    List<String> resourceNames,
    List<String> nonResourceUrls) {
  static final String ALL = "*";

  public PolicyRule {
    verbs = List.copyOf(verbs);
    apiGroups = List.copyOf(apiGroups);
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
    nonResourceUrls = List.copyOf(nonResourceUrls);
  }

  static PolicyRule onPaths(List<String> verbs, List<String> paths) {
    return new PolicyRule(verbs, List.of(), List.of(), List.of(), paths);
  }

  static PolicyRule read(JsonObject rule) {
    return new PolicyRule(
        rule.array("verbs").texts(),
        rule.array("apiGroups").texts(),
        rule.array("resources").texts(),
        rule.array("resourceNames").texts(),
        rule.array("nonResourceURLs").texts());
  }

  /** The rules of a role. */
  static List<PolicyRule> ofRole(JsonObject role) {
    return role.array("rules").objects().stream().map(PolicyRule::read).toList();
  }

  public JsonObject toTree() {
    JsonObject.Builder tree = new JsonObject.Builder().put("verbs", JsonArray.copyOf(verbs));
    putUnlessEmpty(tree, "apiGroups", apiGroups);
    putUnlessEmpty(tree, "resources", resources);
    putUnlessEmpty(tree, "resourceNames", resourceNames);
    putUnlessEmpty(tree, "nonResourceURLs", nonResourceUrls);
    return tree.build();
  }

  private static void putUnlessEmpty(JsonObject.Builder tree, String name, List<String> values) {
    if (!values.isEmpty()) {
      tree.put(name, JsonArray.copyOf(values));
    }
  }

  boolean allows(Action action) {
    return isAbout(verbs, action.verb())
        && switch (action) {
          case Action.OnPath(String _, String path) -> allowsPath(path);
          case Action.OnResource on ->
              isAbout(apiGroups, on.resource().group())
                  && allowsResource(on)
                  && (resourceNames.isEmpty() || resourceNames.contains(on.name()));
        };
  }

  private static boolean isAbout(List<String> values, String value) {
    return values.contains(ALL) || values.contains(value);
  }

  private boolean allowsResource(Action.OnResource on) {
    return isAbout(resources, on.path())
        || (!on.subresource().isEmpty() && resources.contains("*/" + on.subresource()));
  }

  private boolean allowsPath(String path) {
    return nonResourceUrls.stream().anyMatch(url -> covers(url, path));
  }

  static boolean covers(String url, String path) {
    int begin = url.length();
    while (begin > 0 && url.charAt(begin - 1) == '*') {
      begin--;
    }
    return url.equals(path) || (begin < url.length() && path.startsWith(url.substring(0, begin)));
  }

  /** As Kubernetes writes it when it says what is missing. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    describe("APIGroups", apiGroups, parts);
    describe("Resources", resources, parts);
    describe("NonResourceURLs", nonResourceUrls, parts);
    describe("ResourceNames", resourceNames, parts);
    describe("Verbs", verbs, parts);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void describe(String name, List<String> values, List<String> parts) {
    if (!values.isEmpty()) {
      parts.add(name + ":" + quoted(values));
    }
  }

  /** Texts in quotes and brackets: {@code ["a" "b"]}. */
  static String quoted(List<String> values) {
    return values.stream().map(v -> "\"" + v + "\"").collect(Collectors.joining(" ", "[", "]"));
  }
}
