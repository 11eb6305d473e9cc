package dev.berth.policy.autoscale;

import dev.berth.model.tree.JsonObject;

/** What comes out of one metric of an autoscaler. */
sealed interface MetricProposal {

  /**
   * So many replicas.
   *
   * @param metric what was measured, for people
   * @param status what the autoscaler's status says of it
   */
  record Proposed(int replicas, String metric, JsonObject status) implements MetricProposal {}

  /**
   * Nothing.
   *
   * @param reason in one word
   * @param why for people
   * @param context what was tried when it failed, for people: the summary over all metrics begins
   *     with it
   */
  record Failed(String reason, String why, String context) implements MetricProposal {
    String inContext() {
      return context + why;
    }
  }
}
