package dev.berth.hollow;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.PodPhase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is counted of hollow nodes, for those who read metrics while the loop goes on. */
final class HollowMetrics {
  private static final List<Double> LATENCIES =
      List.of(
          0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0);

  private final Map<HollowNode.State, Gauge> nodes = new EnumMap<>(HollowNode.State.class);
  private final Map<PodPhase, Gauge> pods = new EnumMap<>(PodPhase.class);
  private final Counter renewed;
  private final Counter failed;
  private final Histogram latency;
  private final Family<Counter> refused;

  HollowMetrics(Metrics metrics) {
    Family<Gauge> byState =
        metrics.gauges("hollow_nodes", "Simulated nodes by what they are up to.", "state");
    for (HollowNode.State state : HollowNode.State.values()) {
      nodes.put(state, byState.with(word(state)));
    }
    Family<Gauge> byPhase =
        metrics.gauges(
            "hollow_pods", "Pods on simulated nodes by phase, as their nodes know them.", "phase");
    for (PodPhase phase : PodPhase.values()) {
      pods.put(phase, byPhase.with(word(phase)));
    }
    Family<Counter> renewals =
        metrics.counters(
            "hollow_lease_renewals_total", "Attempts to renew a node's lease.", "result");
    renewed = renewals.with("success");
    failed = renewals.with("failure");
    latency =
        metrics
            .histograms(
                "hollow_lease_renewal_duration_seconds",
                "How long it took from a renewal's turn until the server had confirmed it.",
                LATENCIES)
            .with();
    refused =
        metrics.counters(
            "hollow_pods_refused_total", "Pods that a simulated node did not let in.", "reason");
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Counts a node under what it is up to now. */
  void count(HollowNode node) {
    HollowNode.State now = node.state();
    if (node.counted != now) {
      change(nodes, node.counted, now);
      node.counted = now;
    }
  }

  /** Counts a pod under its phase as it is now. */
  void count(HollowPod pod) {
    PodPhase now = pod.phase();
    if (pod.counted != now) {
      change(pods, pod.counted, now);
      pod.counted = now;
    }
  }

  void forget(HollowPod pod) {
    change(pods, pod.counted, null);
    pod.counted = null;
  }

  private static <E> void change(Map<E, Gauge> gauges, @Nullable E before, @Nullable E after) {
    Gauge left = before == null ? null : gauges.get(before);
    if (left != null) {
      left.decrement();
    }
    Gauge entered = after == null ? null : gauges.get(after);
    if (entered != null) {
      entered.increment();
    }
  }

  void renewed(Duration took) {
    renewed.increment();
    latency.observe(took);
  }

  void renewalFailed() {
    failed.increment();
  }

  void refused(String reason) {
    refused.with(reason).increment();
  }
}
