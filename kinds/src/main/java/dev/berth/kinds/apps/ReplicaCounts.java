package dev.berth.kinds.apps;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What ReplicaSets and ReplicationControllers count in their status. */
public final class ReplicaCounts {
  private ReplicaCounts() {}

  public static void validate(JsonObject status, FieldErrorList problems) {
    WorkloadRules.counts(
        status,
        List.of(
            "replicas",
            "fullyLabeledReplicas",
            "readyReplicas",
            "availableReplicas",
            "observedGeneration"),
        problems);
    WorkloadRules.atMost(
        status,
        List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
        "replicas",
        "status.replicas",
        problems);
    WorkloadRules.atMost(
        status, List.of("availableReplicas"), "readyReplicas", "readyReplicas", problems);
  }
}
