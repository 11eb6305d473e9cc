package dev.berth.scheduler;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.scheduler.queue.QueueSizes;
import java.time.Duration;
import java.util.List;

/** What a scheduler counts, under the names that dashboards for Kubernetes know. */
final class SchedulerMetrics {
  private static final List<Double> BUCKETS =
      List.of(
          0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256,
          0.512, 1.024, 2.048, 4.096, 8.192, 16.384);
  private static final List<Double> LONG_BUCKETS =
      List.of(
          0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
          163.84, 327.68, 655.36, 1310.72, 2621.44, 5242.88);

  /** What became of an attempt. */
  enum Result {
    SCHEDULED("scheduled"),
    UNSCHEDULABLE("unschedulable"),
    ERROR("error");

    private final String word;

    Result(String word) {
      this.word = word;
    }
  }

  /** The parts of an attempt that are timed. */
  enum Stage {
    DECIDE("decide"),
    PREEMPT("preempt"),
    BIND("bind");

    private final String word;

    Stage(String word) {
      this.word = word;
    }
  }

  private final Family<Counter> attempts;
  private final Family<Histogram> attemptDuration;
  private final Family<Histogram> stages;
  private final Histogram podDuration;
  private final Counter preemptions;
  private final Counter victims;
  private volatile QueueSizes sizes = new QueueSizes(0, 0, 0, 0, 0);

  SchedulerMetrics(Metrics metrics) {
    attempts =
        metrics.counters(
            "scheduler_schedule_attempts_total",
            "Attempts to place pods, by their result.",
            "profile",
            "result");
    attemptDuration =
        metrics.histograms(
            "scheduler_scheduling_attempt_duration_seconds",
            "How long attempts took, binding included.",
            BUCKETS,
            "profile",
            "result");
    stages =
        metrics.histograms(
            "scheduler_stage_duration_seconds", "How long each stage took.", BUCKETS, "stage");
    podDuration =
        metrics
            .histograms(
                "scheduler_pod_scheduling_sli_duration_seconds",
                "From when a pod was first ready to be tried until it was bound.",
                LONG_BUCKETS)
            .with();
    preemptions =
        metrics
            .counters("scheduler_preemption_attempts_total", "Attempts to preempt pods for a pod.")
            .with();
    victims =
        metrics.counters("scheduler_preemption_victims_total", "Pods that were preempted.").with();
    metrics.lookedUp(
        "scheduler_pending_pods",
        "Pods without a node, by where they wait.",
        List.of("queue"),
        action -> {
          QueueSizes now = sizes;
          action.accept(List.of("active"), (double) now.active() + now.inFlight());
          action.accept(List.of("backoff"), (double) now.backoff());
          action.accept(List.of("gated"), (double) now.gated());
          action.accept(List.of("unschedulable"), (double) now.unschedulable());
        });
  }

  void attempted(String profile, Result result, Duration took) {
    attempts.with(profile, result.word).increment();
    attemptDuration.with(profile, result.word).observe(took);
  }

  void took(Stage stage, Duration time) {
    stages.with(stage.word).observe(time);
  }

  void placed(Duration sinceReady) {
    podDuration.observe(sinceReady);
  }

  void preempted(int evicted) {
    preemptions.increment();
    victims.add(evicted);
  }

  void queue(QueueSizes now) {
    sizes = now;
  }
}
