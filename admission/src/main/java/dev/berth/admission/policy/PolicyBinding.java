package dev.berth.admission.policy;

import dev.berth.admission.match.RequestMatch;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * Where a policy is in force.
 *
 * @param params how its parameters are found; empty if it has none
 * @param actions what is done if a validation does not hold
 */
record PolicyBinding(
    String name, String policy, RequestMatch match, JsonObject params, List<String> actions) {

  static PolicyBinding read(JsonObject binding) {
    JsonObject spec = binding.object("spec");
    return new PolicyBinding(
        Metadata.of(binding).name(),
        spec.text("policyName", ""),
        RequestMatch.read(spec.object("matchResources")),
        spec.object("paramRef"),
        spec.array("validationActions").texts());
  }
}
