package dev.berth.admission.policy;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What expressions of policies lead to, and how long they take, under upstream's names. */
final class PolicyMetrics {
  private static final List<Double> SECONDS = List.of(0.0000005, 0.001, 0.01, 0.1, 1.0);

  private final Supplier<Instant> clock;
  private final boolean namesActions;
  private final Family<Counter> checks;
  private final Family<Histogram> durations;

  /** Why an expression had no value, by its name in labels. */
  enum ErrorType {
    NO_ERROR("no_error"),
    INVALID_ERROR("invalid_error"),
    OUT_OF_BUDGET("out_of_budget");

    private final String label;

    ErrorType(String label) {
      this.label = label;
    }
  }

  private PolicyMetrics(
      Metrics metrics, Supplier<Instant> clock, String kind, String help, boolean namesActions) {
    this.clock = clock;
    this.namesActions = namesActions;
    List<String> labels = new ArrayList<>(List.of("policy", "policy_binding", "error_type"));
    if (namesActions) {
      labels.add("enforcement_action");
    }
    String prefix = "apiserver_" + kind + "_admission_policy_";
    this.checks = metrics.counters(prefix + "check_total", help, labels.toArray(String[]::new));
    this.durations =
        metrics.histograms(
            prefix + "check_duration_seconds",
            help.replace("check total", "latency for individual expressions in seconds"),
            SECONDS,
            labels.toArray(String[]::new));
  }

  /**
   * @param clock runs only forward
   */
  static PolicyMetrics validating(Metrics metrics, Supplier<Instant> clock) {
    return new PolicyMetrics(
        metrics,
        clock,
        "validating",
        "Validation admission policy check total, labeled by policy and further identified by"
            + " binding and enforcement action taken.",
        true);
  }

  static PolicyMetrics mutating(Metrics metrics, Supplier<Instant> clock) {
    return new PolicyMetrics(
        metrics,
        clock,
        "mutating",
        "Mutation admission policy check total, labeled by policy and further identified by"
            + " binding.",
        false);
  }

  /** When an expression begins to be evaluated. */
  Instant begin() {
    return clock.get();
  }

  /**
   * Counts what an expression led to.
   *
   * @param action {@code allow}, {@code deny}, {@code audit} or {@code warn}
   */
  void observe(String policy, String binding, ErrorType error, String action, Instant began) {
    String[] labels =
        namesActions
            ? new String[] {policy, binding, error.label, action}
            : new String[] {policy, binding, error.label};
    checks.with(labels).increment();
    durations.with(labels).observe(Duration.between(began, clock.get()));
  }
}
