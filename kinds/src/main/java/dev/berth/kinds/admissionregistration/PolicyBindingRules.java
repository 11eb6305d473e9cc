package dev.berth.kinds.admissionregistration;

import static dev.berth.kinds.admissionregistration.PolicySpecRules.SPEC;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Where a policy is in force, and with which parameters. */
final class PolicyBindingRules implements ResourceRules {
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

  private final boolean mutating;

  PolicyBindingRules(boolean mutating) {
    this.mutating = mutating;
  }

  @Override
  public JsonObject defaults(JsonObject binding) {
    return PolicySpecRules.bindingDefaults(binding);
  }

  @Override
  public List<FieldError> validate(JsonObject binding) {
    FieldErrorList errors = new FieldErrorList();
    JsonObject spec = binding.object("spec");
    PolicySpecRules.checkBinding(spec, errors);
    if (mutating) {
      MutatingPolicyRules.checkOperations(
          spec.object("matchResources"), SPEC.field("matchResources"), errors);
    } else {
      checkActions(spec.array("validationActions"), SPEC.field("validationActions"), errors);
    }
    return errors.all();
  }

  private static void checkActions(JsonArray actions, FieldPath at, FieldErrorList errors) {
    Set<String> seen = new HashSet<>();
    List<String> names = actions.texts();
    for (int i = 0; i < names.size(); i++) {
      errors.oneOf(at.index(i), names.get(i), ACTIONS);
      if (!seen.add(names.get(i))) {
        errors.duplicate(at.index(i), names.get(i));
      }
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      errors.invalid(
          at,
          actions,
          "must not contain both Deny and Warn (repeating the same validation failure information"
              + " in the API response and headers serves no purpose)");
    }
    if (seen.isEmpty()) {
      errors.required(at, "at least one validation action is required");
    }
  }
}
