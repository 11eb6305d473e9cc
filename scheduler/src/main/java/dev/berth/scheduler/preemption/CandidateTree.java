package dev.berth.scheduler.preemption;

import dev.berth.scheduler.preemption.NodeOutcome.Candidate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The best candidate among all nodes, kept while candidates change: a tournament tree, in which a
 * changed node plays its way up again. Of equals, the node with the lower index wins.
 */
final class CandidateTree {
  private static final int NONE = -1;

  private @Nullable Candidate[] candidates = new Candidate[0];

  /** The winner of the match at i, of those at 2i and 2i+1; nodes themselves are not in it. */
  private int[] winners = new int[0];

  /** Makes place for nodes below an index. Returns false if it had to grow: it is empty then. */
  boolean reserve(int limit) {
    if (limit <= candidates.length) {
      return true;
    }
    int size = Math.max(2, Integer.highestOneBit(limit - 1) << 1);
    candidates = new Candidate[size];
    winners = new int[size];
    Arrays.fill(winners, NONE);
    return false;
  }

  /** Sets a node's candidate; null if it is none. */
  void set(int node, @Nullable Candidate candidate) {
    candidates[node] = candidate;
    for (int match = (node + candidates.length) >> 1; match > 0; match >>= 1) {
      winners[match] = better(winner(2 * match), winner(2 * match + 1));
    }
  }

  private int winner(int place) {
    if (place < winners.length) {
      return winners[place];
    }
    int node = place - winners.length;
    return candidates[node] == null ? NONE : node;
  }

  private int better(int left, int right) {
    Candidate first = left == NONE ? null : candidates[left];
    Candidate second = right == NONE ? null : candidates[right];
    if (first == null) {
      return right;
    }
    if (second == null) {
      return left;
    }
    return Candidate.BEST_FIRST.compare(first, second) <= 0 ? left : right;
  }

  /** The node with the best candidate, or -1. */
  int best() {
    return winners.length == 0 ? NONE : winners[1];
  }
}
