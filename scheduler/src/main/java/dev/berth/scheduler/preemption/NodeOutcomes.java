package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.preemption.NodeOutcome.Candidate;
import dev.berth.scheduler.preemption.NodeOutcome.Refused;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of all nodes for pods that are alike, and when these were found. For the next such
 * pod, only nodes that changed since are tried again.
 */
final class NodeOutcomes {
  private final CandidateTree candidates = new CandidateTree();
  private @Nullable NodeOutcome[] byNode = new NodeOutcome[0];

  /** The nodes whose outcome depends on how much budgets allow. */
  private final BitSet budgeted = new BitSet();

  /** Whether only requests mattered when these were found. */
  private boolean onlyRequests;

  private long version;
  private long clusterPosition = -1;
  private long budgetChanges;
  private long budgetSelections;

  /** Returns the nodes that have to be tried again, and counts on that being done. */
  BitSet takeStale(Cluster cluster, Budgets budgets, PodFilters filters) {
    int limit = cluster.limit();
    BitSet stale = new BitSet(limit);
    boolean all =
        clusterPosition < 0
            || onlyRequests != filters.onlyRequestsMatter()
            || version != filters.version()
            || budgetSelections != budgets.selections()
            || !candidates.reserve(limit);
    all |= !all && !cluster.changes().since(clusterPosition, stale::set);
    if (all) {
      candidates.reserve(limit);
      stale.set(0, limit);
    } else if (budgetChanges != budgets.changes()) {
      stale.or(budgeted);
    }
    if (byNode.length < limit) {
      byNode = Arrays.copyOf(byNode, Math.max(limit, 2 * byNode.length));
    }
    onlyRequests = filters.onlyRequestsMatter();
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
    candidates.set(node, outcome instanceof Candidate candidate ? candidate : null);
  }

  boolean isBudgeted(int node) {
    return budgeted.get(node);
  }

  /** The best node, or -1. */
  int best() {
    return candidates.best();
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
