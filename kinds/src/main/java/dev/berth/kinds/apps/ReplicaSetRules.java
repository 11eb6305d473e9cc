package dev.berth.kinds.apps;

import dev.berth.kinds.pod.PodValidationOptions;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;

/** ReplicaSets. */
final class ReplicaSetRules extends WorkloadRules {
  ReplicaSetRules(TolerationRules tolerations) {
    super(tolerations);
  }

  @Override
  JsonObject ownDefaults(JsonObject spec) {
    return FieldRules.orDefault(spec, "replicas", 1L);
  }

  @Override
  void validate(JsonObject spec, PodValidationOptions allowed, FieldErrorList problems) {
    problems.notNegative(spec, "replicas", SPEC);
    problems.notNegative(spec, "minReadySeconds", SPEC);
    // Upstream's message speaks of another kind.
    selectorAndTemplate(spec, "deployment", allowed, problems);
  }

  @Override
  void validateStatus(JsonObject status, JsonObject old, FieldErrorList problems) {
    ReplicaCounts.validate(status, problems);
    problems.notNegative(status, "terminatingReplicas", STATUS);
  }
}
