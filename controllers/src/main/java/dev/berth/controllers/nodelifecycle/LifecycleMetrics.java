package dev.berth.controllers.nodelifecycle;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneRates;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/**
 * What the controller counts. Names are upstream's where it has one; the changes of zones and the
 * rate that applies are ours.
 */
final class LifecycleMetrics {
  private static final String PREFIX = "node_collector_";
  private static final List<Double> ALL_NODES =
      List.of(0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84);
  private static final List<Double> ONE_NODE =
      List.of(0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384);

  final Family<Counter> evictions;
  final Family<Counter> zoneChanges;
  final Histogram pass;
  final Histogram check;

  /** Read by whoever wants to see the figures, on any thread. */
  private volatile ZoneRates rates = new ZoneRates(false, List.of());

  LifecycleMetrics(Metrics metrics) {
    evictions =
        metrics.counters(
            PREFIX + "evictions_total",
            "Number of Node evictions that happened since current instance of NodeController"
                + " started.",
            "zone");
    zoneChanges =
        metrics.counters(
            PREFIX + "zone_state_changes_total",
            "How often a zone went into a state, by zone and state.",
            "zone",
            "state");
    pass =
        metrics
            .histograms(
                PREFIX + "update_all_nodes_health_duration_seconds",
                "Duration in seconds for NodeController to update the health of all nodes.",
                ALL_NODES)
            .with();
    check =
        metrics
            .histograms(
                PREFIX + "update_node_health_duration_seconds",
                "Duration in seconds for NodeController to update the health of a single node.",
                ONE_NODE)
            .with();
    byZone(
        metrics,
        "zone_health",
        "Gauge measuring percentage of healthy nodes per zone.",
        rate ->
            100.0 * (rate.health().nodes() - rate.health().unhealthy()) / rate.health().nodes());
    byZone(
        metrics,
        "zone_size",
        "Gauge measuring number of registered Nodes per zones.",
        rate -> rate.health().nodes());
    byZone(
        metrics,
        "unhealthy_nodes_in_zone",
        "Gauge measuring number of not Ready Nodes per zones.",
        rate -> rate.health().unhealthy());
    byZone(
        metrics,
        "zone_eviction_rate",
        "How many nodes of a zone may be emptied in a second.",
        ZoneRate::nodesPerSecond);
  }

  void show(ZoneRates now) {
    rates = now;
    // So that a zone counts from 0, and not from its first eviction.
    now.rates().forEach(rate -> evictions.with(rate.health().zone().toString()));
  }

  private void byZone(
      Metrics metrics, String name, String help, ToDoubleFunction<ZoneRate> figure) {
    metrics.lookedUp(PREFIX + name, help, List.of("zone"), action -> forEach(figure, action));
  }

  private void forEach(ToDoubleFunction<ZoneRate> figure, BiConsumer<List<String>, Double> action) {
    for (ZoneRate rate : rates.rates()) {
      action.accept(List.of(rate.health().zone().toString()), figure.applyAsDouble(rate));
    }
  }
}
