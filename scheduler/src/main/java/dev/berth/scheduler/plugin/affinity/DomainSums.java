package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.cluster.node.NodeCounts;
import dev.berth.scheduler.cluster.node.TopologyColumn;

/**
 * How many pods that a term is about, or that have the term, are in each domain of its topology.
 */
final class DomainSums {
  private final AffinityTerm term;
  private final TopologyColumn topology;
  private final long[] sums;
  private final long total;

  DomainSums(AffinityTerm term, NodeCounts counts, Cluster cluster) {
    this.term = term;
    topology = cluster.topology(term.topologyKey());
    sums = new long[topology.domains()];
    total = counts.total() == 0 ? 0 : counts.addTo(sums, topology, 1);
  }

  AffinityTerm term() {
    return term;
  }

  /** How many there are in all domains together. */
  long total() {
    return total;
  }

  boolean hasDomain(int node) {
    return topology.domain(node) >= 0;
  }

  boolean isNear(int node) {
    int domain = topology.domain(node);
    return domain >= 0 && sums[domain] > 0;
  }
}
