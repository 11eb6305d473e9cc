package dev.berth.kinds.policy;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.ConditionValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelectorForm;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Disruption budgets: one bound of the two, as a number or a percentage. */
final class DisruptionBudgetRules implements ResourceRules {
  private static final List<String> POLICIES = List.of("AlwaysAllow", "IfHealthyBudget");

  @Override
  public List<FieldError> validate(JsonObject budget) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject spec = budget.object("spec");
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      errors.add(
          FieldError.invalid(
              "spec",
              InternalForm.of("PodDisruptionBudgetSpec", spec),
              "minAvailable and maxUnavailable cannot be both set"));
    }
    bound("minAvailable", spec, errors);
    bound("maxUnavailable", spec, errors);
    errors.addAll(LabelSelectorForm.validate(spec.object("selector"), "spec.selector"));
    String policy = spec.text("unhealthyPodEvictionPolicy");
    if (policy != null) {
      errors.addAll(
          FieldRules.oneOf(FieldPath.of("spec", "unhealthyPodEvictionPolicy"), policy, POLICIES));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject budget, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject status = budget.object("status");
    FieldPath at = FieldPath.of("status");
    ConditionValidation.validate(
        status.array("conditions").objects(), at.field("conditions"), problems);
    for (String field :
        List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
      problems.notNegative(status, field, at);
    }
    return problems.all();
  }

  private static void bound(String field, JsonObject spec, List<FieldError> errors) {
    switch (spec.get(field)) {
      case Long number when number < 0 ->
          errors.add(
              FieldError.invalid("spec." + field, number, "must be greater than or equal to 0"));
      case String text when !text.matches("[0-9]+%") ->
          errors.add(
              FieldError.invalid(
                  "spec." + field,
                  text,
                  "a valid percent string must be a numeric string followed by an ending '%'"
                      + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"));
      case String text
          when text.length() > "100%".length()
              || Integer.parseInt(text.substring(0, text.length() - 1)) > 100 ->
          errors.add(FieldError.invalid("spec." + field, text, "must not be greater than 100%"));
      case null, default -> {}
    }
  }
}
