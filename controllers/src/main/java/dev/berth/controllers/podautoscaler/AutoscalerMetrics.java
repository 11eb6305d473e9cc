package dev.berth.controllers.podautoscaler;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.autoscale.AutoscalerPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What upstream counts, under upstream's names. */
final class AutoscalerMetrics {
  private static final String PREFIX = "horizontal_pod_autoscaler_controller_";
  private static final int BUCKETS = 15;

  private final Family<Counter> reconciliations;
  private final Family<Histogram> durations;
  private final Family<Counter> computations;
  private final Family<Histogram> computationDurations;

  /** How many replicas each should have; read by any thread. */
  private final Map<ObjectName, Integer> desired = new ConcurrentHashMap<>();

  /** How a reconciliation ended. */
  enum Result {
    NONE("none"),
    /** The autoscaler asks for what cannot be. */
    SPEC("spec"),
    INTERNAL("internal");

    private final String word;

    Result(String word) {
      this.word = word;
    }
  }

  AutoscalerMetrics(Metrics metrics) {
    reconciliations =
        metrics.counters(
            PREFIX + "reconciliations_total",
            "Number of reconciliations of HPA controller.",
            "action",
            "error");
    List<Double> buckets = new ArrayList<>();
    for (int i = 0; i < BUCKETS; i++) {
      buckets.add(0.001 * (1 << i));
    }
    durations =
        metrics.histograms(
            PREFIX + "reconciliation_duration_seconds",
            "The time(seconds) that the HPA controller takes to reconcile once.",
            buckets,
            "action",
            "error");
    computations =
        metrics.counters(
            PREFIX + "metric_computation_total",
            "Number of metric computations.",
            "action",
            "error",
            "metric_type");
    computationDurations =
        metrics.histograms(
            PREFIX + "metric_computation_duration_seconds",
            "The time(seconds) that the HPA controller takes to calculate one metric.",
            buckets,
            "action",
            "error",
            "metric_type");
    metrics.lookedUp(
        PREFIX + "num_horizontal_pod_autoscalers",
        "Current number of controlled HPA objects.",
        List.of(),
        action -> action.accept(List.of(), (double) desired.size()));
    metrics.lookedUp(
        PREFIX + "desired_replicas",
        "Current desired replica count for HPA objects.",
        List.of("namespace", "hpa_name"),
        action ->
            desired.forEach((name, replicas) ->
                action.accept(List.of(name.namespace(), name.name()), (double) replicas)));
  }

  void appeared(ObjectName autoscaler) {
    desired.putIfAbsent(autoscaler, 0);
  }

  void gone(ObjectName autoscaler) {
    desired.remove(autoscaler);
  }

  void desired(ObjectName autoscaler, int replicas) {
    desired.replace(autoscaler, replicas);
  }

  /**
   * @param change by how much the target was scaled
   */
  void reconciled(int change, Result result, Duration took) {
    String action = action(change);
    reconciliations.with(action, result.word).increment();
    durations.with(action, result.word).observe(took);
  }

  private static String action(int change) {
    return change > 0 ? "scale_up" : change < 0 ? "scale_down" : "none";
  }

  /**
   * @param change by how much the metric would have the target scaled
   */
  void computed(AutoscalerPlan.Computation computation, int change, Duration took) {
    Result result =
        switch (computation.reason()) {
          case "" -> Result.NONE;
          case "InvalidMetricSourceType" -> Result.SPEC;
          default -> Result.INTERNAL;
        };
    String action = action(result == Result.NONE ? change : 0);
    computations.with(action, result.word, computation.type()).increment();
    computationDurations.with(action, result.word, computation.type()).observe(took);
  }
}
