package dev.berth.kinds.admissionregistration;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules by which webhooks and policies say which requests they are about. */
final class ResourceRuleValidation {
  static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");
  private static final String ALL = "*";

  private ResourceRuleValidation() {}

  /**
   * @param allowed the operations that may be named
   */
  static void check(JsonObject rule, FieldPath at, List<String> allowed, FieldErrorList errors) {
    JsonArray operations = rule.array("operations");
    checkList(operations, at.field("operations"), "operations", errors);
    for (int i = 0; i < operations.size(); i++) {
      errors.oneOf(at.field("operations").index(i), operations.texts().get(i), allowed);
    }
    checkList(rule.array("apiGroups"), at.field("apiGroups"), "API groups", errors);
    JsonArray versions = rule.array("apiVersions");
    checkList(versions, at.field("apiVersions"), "API versions", errors);
    for (int i = 0; i < versions.size(); i++) {
      if (versions.texts().get(i).isEmpty()) {
        errors.required(at.field("apiVersions").index(i), "");
      }
    }
    checkResources(rule.array("resources"), at.field("resources"), errors);
    if (rule.has("scope")) {
      errors.oneOf(at.field("scope"), rule.text("scope", ""), SCOPES);
    }
  }

  private static void checkList(
      JsonArray values, FieldPath at, String what, FieldErrorList errors) {
    if (values.isEmpty()) {
      errors.required(at, "");
    } else if (values.size() > 1 && values.texts().contains(ALL)) {
      errors.invalid(at, values, "if '*' is present, must not specify other " + what);
    }
  }

  private static void checkResources(JsonArray resources, FieldPath at, FieldErrorList errors) {
    if (resources.isEmpty()) {
      errors.required(at, "");
    }
    Set<String> withAllParts = new HashSet<>();
    Set<String> partsOfAll = new HashSet<>();
    boolean namesWhole = false;
    List<String> names = resources.texts();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      FieldPath each = at.index(i);
      int slash = name.indexOf('/');
      if (name.isEmpty()) {
        errors.required(each, "");
      } else if (slash < 0) {
        namesWhole = !name.equals(ALL);
      } else {
        String resource = name.substring(0, slash);
        String part = name.substring(slash + 1);
        if (withAllParts.contains(resource)) {
          errors.invalid(
              each, name, "if '%s/*' is present, must not specify %s".formatted(resource, name));
        }
        if (partsOfAll.contains(part)) {
          errors.invalid(
              each, name, "if '*/%s' is present, must not specify %s".formatted(part, name));
        }
        if (part.equals(ALL)) {
          withAllParts.add(resource);
        }
        if (resource.equals(ALL)) {
          partsOfAll.add(part);
        }
      }
    }
    if (names.size() > 1 && names.contains("*/*")) {
      errors.invalid(at, resources, "if '*/*' is present, must not specify other resources");
    }
    if (names.contains(ALL) && namesWhole) {
      errors.invalid(
          at,
          resources,
          "if '*' is present, must not specify other resources without subresources");
    }
  }
}
