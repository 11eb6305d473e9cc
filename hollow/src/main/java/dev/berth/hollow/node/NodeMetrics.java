package dev.berth.hollow.node;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Metrics of hollow nodes and their leases. */
public final class NodeMetrics {
  private static final List<Double> LATENCIES =
      List.of(
          0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0);

  private final Map<HollowNode.State, Gauge> nodes = new EnumMap<>(HollowNode.State.class);
  private final Counter renewed;
  private final Counter failed;
  private final Histogram latency;

  public NodeMetrics(Metrics metrics) {
    Family<Gauge> byState = metrics.gauges("hollow_nodes", "Simulated nodes by state.", "state");
    for (HollowNode.State state : HollowNode.State.values()) {
      nodes.put(state, byState.with(state.name().toLowerCase(Locale.ROOT)));
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
                "How long it took from when a renewal was due until the server had confirmed it.",
                LATENCIES)
            .with();
  }

  /** Counts a node under its state as it is now. */
  public void count(HollowNode node) {
    HollowNode.State now = node.state();
    HollowNode.State before = node.counted;
    if (before == now) {
      return;
    }
    node.counted = now;
    Gauge left = before == null ? null : nodes.get(before);
    if (left != null) {
      left.decrement();
    }
    Gauge entered = nodes.get(now);
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
}
