package dev.berth.kinds.rbac;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Roles: each rule says verbs, and either resources or paths; paths only for the whole cluster. */
final class RoleRules implements ResourceRules {
  private final boolean clusterWide;

  RoleRules(boolean clusterWide) {
    this.clusterWide = clusterWide;
  }

  @Override
  public List<FieldError> validate(JsonObject role) {
    List<FieldError> errors = new ArrayList<>();
    List<JsonObject> rules = role.array("rules").objects();
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), FieldPath.of("rules").index(i), errors);
    }
    JsonObject aggregation = role.object("aggregationRule");
    if (role.has("aggregationRule")) {
      JsonArray selectors = aggregation.array("clusterRoleSelectors");
      FieldPath at = FieldPath.of("aggregationRule", "clusterRoleSelectors");
      if (selectors.isEmpty()) {
        errors.add(
            FieldError.required(
                at.toString(),
                "at least one clusterRoleSelector required if aggregationRule is non-nil"));
      }
      for (int i = 0; i < selectors.size(); i++) {
        String place = at.index(i).toString();
        List<FieldError> wrong = LabelSelectorForm.validate(selectors.objects().get(i), place);
        errors.addAll(wrong);
        if (!wrong.isEmpty()) {
          errors.add(FieldError.invalid(place, JsonNull.NULL, "invalid label selector."));
        }
      }
    }
    return errors;
  }

  private void rule(JsonObject rule, FieldPath at, List<FieldError> errors) {
    if (rule.array("verbs").isEmpty()) {
      errors.add(
          FieldError.required(
              at.field("verbs").toString(), "verbs must contain at least one value"));
    }
    JsonArray paths = rule.array("nonResourceURLs");
    if (!paths.isEmpty()) {
      if (!clusterWide) {
        errors.add(
            FieldError.invalid(
                at.field("nonResourceURLs").toString(),
                paths,
                "namespaced rules cannot apply to non-resource URLs"));
      }
      boolean resources =
          !rule.array("apiGroups").isEmpty()
              || !rule.array("resources").isEmpty()
              || !rule.array("resourceNames").isEmpty();
      if (resources) {
        errors.add(
            FieldError.invalid(
                at.field("nonResourceURLs").toString(),
                paths,
                "rules cannot apply to both regular resources and non-resource URLs"));
      }
      return;
    }
    if (rule.array("apiGroups").isEmpty()) {
      errors.add(
          FieldError.required(
              at.field("apiGroups").toString(),
              "resource rules must supply at least one api group"));
    }
    if (rule.array("resources").isEmpty()) {
      errors.add(
          FieldError.required(
              at.field("resources").toString(),
              "resource rules must supply at least one resource"));
    }
  }
}
