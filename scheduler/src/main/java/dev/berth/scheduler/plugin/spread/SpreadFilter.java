package dev.berth.scheduler.plugin.spread;

import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.TopologyColumn;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;

/**
 * Nodes whose domain would not have too many pods: a node is allowed if, for each constraint, it is
 * in a domain whose pods, with this one if it is of them, are at most {@code maxSkew} more than
 * those of the domain that has the fewest.
 */
final class SpreadFilter implements NodeFilter {
  private final SpreadCounts sheet;
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

  SpreadFilter(SpreadCounts sheet, PodInfo pod) {
    this.sheet = sheet;
    int size = sheet.size();
    topologies = new TopologyColumn[size];
    self = new int[size];
    pods = new int[size][];
    most = new long[size];
    strict = new int[size];
    for (int i = 0; i < size; i++) {
      topologies[i] = sheet.topology(i);
      self[i] = sheet.constraint(i).selector().matches(pod.labels()) ? 1 : 0;
    }
    sheet.update();
  }

  private void refresh() {
    stricts = 0;
    for (int i = 0; i < most.length; i++) {
      pods[i] = sheet.podsByDomain(i);
      most[i] = sheet.constraint(i).maxSkew() + sheet.fewest(i) - self[i];
      if (sheet.mayRefuse(i, most[i])) {
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
      SpreadConstraint constraint = sheet.constraint(i);
      int domain = topologies[i].domain(node);
      if (domain < 0) {
        return new SpreadRefusal.NoDomain(constraint.topologyKey());
      }
      if (pods[i][domain] > most[i]) {
        return new SpreadRefusal.TooUneven(
            constraint.topologyKey(),
            topologies[i].value(domain),
            pods[i][domain] + self[i],
            sheet.fewest(i),
            constraint.maxSkew());
      }
    }
    throw new IllegalArgumentException("The node " + node + " is allowed");
  }

  @Override
  public void removed(PodInfo pod, int node) {
    sheet.tried(node);
    stale = true;
  }

  @Override
  public void added(PodInfo pod, int node) {
    sheet.tried(node);
    stale = true;
  }
}
