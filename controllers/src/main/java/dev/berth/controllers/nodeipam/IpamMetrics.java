package dev.berth.controllers.nodeipam;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.CidrSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What upstream counts, under upstream's names, one of which it misspelt; and who waits. */
final class IpamMetrics {
  private static final String LABEL = "clusterCIDR";

  private final List<CidrSet> sets;
  private final Family<Counter> allocations;
  private final Family<Counter> releases;

  /** How many ranges of each set are taken, and how many nodes wait; read by any thread. */
  private final AtomicIntegerArray figures;

  IpamMetrics(Metrics metrics, List<CidrSet> sets) {
    this.sets = sets;
    this.figures = new AtomicIntegerArray(sets.size() + 1);
    allocations =
        metrics.counters(
            "node_ipam_controller_cidrset_cidrs_allocations_total",
            "Ranges of addresses that were given to nodes.",
            LABEL);
    releases =
        metrics.counters(
            "node_ipam_controller_cidrset_cidrs_releases_total",
            "Ranges of addresses that were free again because their node was gone.",
            LABEL);
    metrics.lookedUp(
        "node_ipam_controller_cirdset_max_cidrs",
        "How many ranges there are.",
        List.of(LABEL),
        action -> sets.forEach(set -> action.accept(label(set), (double) set.range().size())));
    metrics.lookedUp(
        "node_ipam_controller_cidrset_usage_cidrs",
        "The share of ranges that are taken, from 0 to 1.",
        List.of(LABEL),
        action -> {
          for (int i = 0; i < sets.size(); i++) {
            CidrSet set = sets.get(i);
            action.accept(label(set), figures.get(i) / (double) set.range().size());
          }
        });
    metrics.lookedUp(
        "node_ipam_controller_nodes_without_cidr",
        "Nodes that wait because all ranges are taken.",
        List.of(),
        action -> action.accept(List.of(), (double) figures.get(sets.size())));
    sets.forEach(set -> {
      allocations.with(set.range().cluster().toString());
      releases.with(set.range().cluster().toString());
    });
  }

  private static List<String> label(CidrSet set) {
    return List.of(set.range().cluster().toString());
  }

  void allocated(List<Cidr> cidrs) {
    count(allocations, cidrs);
  }

  void released(List<Cidr> cidrs) {
    count(releases, cidrs);
  }

  private void count(Family<Counter> counters, List<Cidr> cidrs) {
    for (CidrSet set : sets) {
      Cidr cluster = set.range().cluster();
      if (cidrs.stream().anyMatch(cluster::overlaps)) {
        counters.with(cluster.toString()).increment();
      }
    }
  }

  /** Shows how things are now. */
  void show(int waiting) {
    for (int i = 0; i < sets.size(); i++) {
      figures.set(i, sets.get(i).used());
    }
    figures.set(sets.size(), waiting);
  }
}
