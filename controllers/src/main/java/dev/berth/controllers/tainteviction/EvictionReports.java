package dev.berth.controllers.tainteviction;

import dev.berth.client.ApiResult;
import dev.berth.client.event.EventRecorder;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Histogram;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** What people are told about evictions: events, metrics, sentences for the operator. */
final class EvictionReports {
  private static final String CONTROLLER = "taint-eviction-controller";
  private static final String REASON = "TaintManagerEviction";
  private static final List<Double> SECONDS =
      List.of(0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 30.0, 60.0, 120.0, 180.0, 240.0);

  /** When a server fails, it fails for many pods at once; one sentence says it. */
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Time time;
  private final EventRecorder events;
  private final Counter deletions;
  private final Counter failures;
  private final Histogram durations;
  private final Consumer<String> warnings;
  private Instant nextComplaint = Instant.MIN;

  EvictionReports(ControllerParts parts, Loop loop) {
    this.time = parts.time();
    this.events = EventRecorder.counting(parts.api(), loop, time, CONTROLLER);
    this.warnings = parts.warnings();
    this.deletions =
        parts
            .metrics()
            .counters(
                "taint_eviction_controller_pod_deletions_total",
                "Total number of Pods deleted by TaintEvictionController since its start.")
            .with();
    this.failures =
        parts
            .metrics()
            .counters(
                "taint_eviction_controller_pod_deletion_failures_total",
                "Attempts to delete a Pod that failed, and were or will be tried again.")
            .with();
    this.durations =
        parts
            .metrics()
            .histograms(
                "taint_eviction_controller_pod_deletion_duration_seconds",
                "Latency, in seconds, between the time when a taint effect has been activated for"
                    + " the Pod and its deletion via TaintEvictionController.",
                SECONDS)
            .with();
  }

  /** How many events are still to be written. */
  int waiting() {
    return events.waiting();
  }

  void evicts(TrackedPod pod, Taint taint) {
    record(
        pod,
        "Evicting",
        "Marking for deletion Pod %s because of taint %s on node %s"
            .formatted(pod.name(), taint, pod.node.name));
  }

  void cancelled(TrackedPod pod) {
    record(pod, "CancellingEviction", "Cancelling deletion of Pod " + pod.name());
  }

  /** A disruption budget does not let a pod go yet. */
  void heldBack(TrackedPod pod, String budget, Instant until) {
    record(
        pod,
        "HoldingBackEviction",
        "Holding back deletion of Pod %s until %s at most: %s"
            .formatted(pod.name(), WireTime.text(until), budget));
  }

  /** A node's annotation cannot be read. */
  void ignores(JsonObject node, String problem) {
    events.record(
        node.with("kind", "Node").with("apiVersion", "v1"),
        EventRecorder.Type.WARNING,
        "InvalidAnnotation",
        "ReadingAnnotation",
        problem);
  }

  private void record(TrackedPod pod, String action, String note) {
    events.record(pod.tree, EventRecorder.Type.NORMAL, REASON, action, note);
  }

  /**
   * @param after how long after it was due
   */
  void evicted(Duration after) {
    deletions.increment();
    durations.observe(after);
  }

  void failed(TrackedPod pod, ApiResult.Failure why, Duration delay) {
    failures.increment();
    Instant now = time.now();
    boolean explainsItself = why.isNotFound() || why.isConflict();
    if (!explainsItself && !now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      warnings.accept(
          "cannot evict pod %s from node %s, and tries again in %d s: %s"
              .formatted(pod.name(), pod.node.name, delay.toSeconds(), why.message()));
    }
  }
}
