package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.preemption.NodeOutcome.Candidate;
import dev.berth.scheduler.preemption.NodeOutcome.Refused;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What preemption comes to on every node for pods that are alike, and as of when. The next such pod
 * looks again only at nodes that changed since.
 */
final class Outcomes {
  private final Tournament tournament = new Tournament();
  private @Nullable NodeOutcome[] byNode = new NodeOutcome[0];

  /** The nodes whose outcome depends on how much budgets allow. */
  private final BitSet budgeted = new BitSet();

  /** Whether only room mattered when these were found: else they were found by other means. */
  private boolean onlyRoom;

  private long version;
  private long clusterPosition = -1;
  private long budgetChanges;
  private long budgetSelections;

  /** Says which nodes have to be looked at again, and takes note that they are. */
  BitSet stale(Cluster cluster, Budgets budgets, PodFilters filters) {
    int limit = cluster.limit();
    BitSet stale = new BitSet(limit);
    boolean all =
        clusterPosition < 0
            || onlyRoom != filters.onlyRoom()
            || version != filters.version()
            || budgetSelections != budgets.selections()
            || !tournament.reserve(limit);
    all |= !all && !cluster.changes().since(clusterPosition, stale::set);
    if (all) {
      tournament.reserve(limit);
      stale.set(0, limit);
    } else if (budgetChanges != budgets.changes()) {
      stale.or(budgeted);
    }
    if (byNode.length < limit) {
      byNode = Arrays.copyOf(byNode, Math.max(limit, 2 * byNode.length));
    }
    onlyRoom = filters.onlyRoom();
    version = filters.version();
    clusterPosition = cluster.changes().position();
    budgetChanges = budgets.changes();
    budgetSelections = budgets.selections();
    return stale;
  }

  @Nullable NodeOutcome get(int node) {
    return byNode[node];
  }

  /** Sets a node's outcome; null if there is no such node. */
  void set(int node, @Nullable NodeOutcome outcome, boolean dependsOnBudgets) {
    byNode[node] = outcome;
    budgeted.set(node, dependsOnBudgets);
    tournament.set(node, outcome instanceof Candidate candidate ? candidate : null);
  }

  boolean isBudgeted(int node) {
    return budgeted.get(node);
  }

  /** The best node, or -1. */
  int best() {
    return tournament.best();
  }

  /** How many nodes gave each reason. */
  @SuppressWarnings("ReferenceEquality") // The two that nearly all nodes share are counted quickly.
  SortedMap<String, Integer> counts() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    int notHelpful = 0;
    int noVictims = 0;
    for (NodeOutcome outcome : byNode) {
      if (outcome == NodeOutcome.NOT_HELPFUL) {
        notHelpful++;
      } else if (outcome == NodeOutcome.NO_VICTIMS) {
        noVictims++;
      } else if (outcome instanceof Refused refused) {
        refused.reasons().forEach(reason -> counts.merge(reason, 1, Integer::sum));
      }
    }
    add(counts, NodeOutcome.NOT_HELPFUL, notHelpful);
    add(counts, NodeOutcome.NO_VICTIMS, noVictims);
    return counts;
  }

  private static void add(SortedMap<String, Integer> counts, Refused refused, int nodes) {
    if (nodes > 0) {
      refused.reasons().forEach(reason -> counts.merge(reason, nodes, Integer::sum));
    }
  }
}
