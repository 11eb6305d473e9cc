package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Roles: each rule has verbs, and is about resources or about paths.
 *
 * @param namespaced whether it is for one namespace, in which there are no paths
 */
record RoleRules(boolean namespaced) implements ResourceRules {

  @Override
  public List<FieldError> validate(JsonObject role) {
    List<FieldError> errors = new ArrayList<>();
    List<JsonObject> rules = role.array("rules").objects();
    for (int i = 0; i < rules.size(); i++) {
      validate(rules.get(i), "rules[" + i + "]", errors);
    }
    if (role.has("aggregationRule")) {
      String field = "aggregationRule.clusterRoleSelectors";
      List<JsonObject> selectors =
          role.object("aggregationRule").array("clusterRoleSelectors").objects();
      if (selectors.isEmpty()) {
        errors.add(
            FieldError.required(
                field, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
      }
      for (int i = 0; i < selectors.size(); i++) {
        errors.addAll(LabelSelectorForm.validate(selectors.get(i), field + "[" + i + "]"));
      }
    }
    return errors;
  }

  private void validate(JsonObject rule, String field, List<FieldError> errors) {
    if (rule.array("verbs").isEmpty()) {
      errors.add(FieldError.required(field + ".verbs", "verbs must contain at least one value"));
    }
    if (!rule.array("nonResourceURLs").isEmpty()) {
      String urls = field + ".nonResourceURLs";
      if (namespaced) {
        errors.add(
            FieldError.invalid(
                urls,
                rule.array("nonResourceURLs"),
                "namespaced rules cannot apply to non-resource URLs"));
      }
      if (!rule.array("apiGroups").isEmpty()
          || !rule.array("resources").isEmpty()
          || !rule.array("resourceNames").isEmpty()) {
        errors.add(
            FieldError.invalid(
                urls,
                rule.array("nonResourceURLs"),
                "rules cannot apply to both regular resources and non-resource URLs"));
      }
      return;
    }
    if (rule.array("apiGroups").isEmpty()) {
      errors.add(
          FieldError.required(
              field + ".apiGroups", "resource rules must supply at least one api group"));
    }
    if (rule.array("resources").isEmpty()) {
      errors.add(
          FieldError.required(
              field + ".resources", "resource rules must supply at least one resource"));
    }
  }
}
