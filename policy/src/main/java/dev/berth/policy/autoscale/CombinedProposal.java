package dev.berth.policy.autoscale;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What comes out of all metrics of an autoscaler.
 *
 * @param replicas the most that one of them asks for; 0 if none could be read
 * @param metric the one that asks for them
 * @param statuses of all metrics, in their order, with nothing known of those that failed
 * @param isUsable whether the target may be scaled by it: not if none could be read, nor if some
 *     could not and those that could want fewer replicas
 */
record CombinedProposal(
    int replicas,
    String metric,
    List<JsonObject> statuses,
    List<MetricProposal.Failed> failures,
    boolean isUsable) {

  static CombinedProposal of(List<MetricProposal> proposals, int current) {
    int replicas = 0;
    String metric = "";
    List<JsonObject> statuses = new ArrayList<>();
    List<MetricProposal.Failed> failures = new ArrayList<>();
    for (MetricProposal proposal : proposals) {
      switch (proposal) {
        case MetricProposal.Proposed proposed -> {
          statuses.add(proposed.status());
          if (replicas == 0 || proposed.replicas() > replicas) {
            replicas = proposed.replicas();
            metric = proposed.metric();
          }
        }
        case MetricProposal.Failed failed -> {
          statuses.add(JsonObject.of("type", ""));
          failures.add(failed);
        }
      }
    }
    boolean isUsable =
        failures.size() < proposals.size() && (failures.isEmpty() || replicas >= current);
    return new CombinedProposal(
        replicas, metric, List.copyOf(statuses), List.copyOf(failures), isUsable);
  }

  /** What failed, for people; empty if nothing did. */
  String summary() {
    return failures.isEmpty()
        ? ""
        : "invalid metrics (%d invalid out of %d), first error is: %s"
            .formatted(failures.size(), statuses.size(), failures.getFirst().inContext());
  }
}
