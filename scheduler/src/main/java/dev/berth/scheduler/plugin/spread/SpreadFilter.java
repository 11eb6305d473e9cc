package dev.berth.scheduler.plugin.spread;

import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;

/**
 * Nodes whose domain would not have too many pods: a node is allowed if, for each constraint, it is
 * in a domain whose pods, with this one if it is of them, are at most {@code maxSkew} more than
 * those of the domain that has the fewest.
 */
final class SpreadFilter implements NodeFilter {
  private final SpreadCounts counts;
  private final TopologyColumn[] topologies;
  private final int[] self;

  /** By constraint and domain, how many pods there are. */
  private final int[][] pods;

  /** By constraint, how many pods a domain may have before this one comes. */
  private final long[] most;

  /** The constraints that refuse any node at all, and how many of them there are. */
  private final int[] strict;

  private int stricts;
  private boolean stale = true;

  SpreadFilter(SpreadCounts counts, PodInfo pod) {
    this.counts = counts;
    int size = counts.size();
    topologies = new TopologyColumn[size];
    self = new int[size];
    pods = new int[size][];
    most = new long[size];
    strict = new int[size];
    for (int i = 0; i < size; i++) {
      topologies[i] = counts.topology(i);
      self[i] = counts.constraint(i).selector().matches(pod.labels()) ? 1 : 0;
    }
    counts.update();
  }

  private void refresh() {
    stricts = 0;
    for (int i = 0; i < most.length; i++) {
      pods[i] = counts.podsByDomain(i);
      most[i] = counts.constraint(i).maxSkew() + counts.fewest(i) - self[i];
      if (counts.mayRefuse(i, most[i])) {
        strict[stricts++] = i;
      }
    }
    stale = false;
  }

  @Override
  public boolean allows(int node) {
    if (stale) {
      refresh();
    }
    for (int at = 0; at < stricts; at++) {
      int i = strict[at];
      int domain = topologies[i].domain(node);
      if (domain < 0 || pods[i][domain] > most[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Refusal refusal(int node) {
    if (stale) {
      refresh();
    }
    for (int i = 0; i < most.length; i++) {
      SpreadConstraint constraint = counts.constraint(i);
      int domain = topologies[i].domain(node);
      if (domain < 0) {
        return new SpreadRefusal.NoDomain(constraint.topologyKey());
      }
      if (pods[i][domain] > most[i]) {
        return new SpreadRefusal.TooUneven(
            constraint.topologyKey(),
            topologies[i].value(domain),
            pods[i][domain] + self[i],
            counts.fewest(i),
            constraint.maxSkew());
      }
    }
    throw new IllegalArgumentException("The node " + node + " is allowed");
  }

  @Override
  public void removed(PodInfo pod, int node) {
    counts.tried(node);
    stale = true;
  }

  @Override
  public void added(PodInfo pod, int node) {
    counts.tried(node);
    stale = true;
  }
}
