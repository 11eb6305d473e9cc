package dev.berth.scheduler.plugin.spread;

import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Prefers nodes whose domains have few pods.
 *
 * <ol>
 *   <li>For each constraint whose label a node has, the pods of its domain count, times a weight:
 *       the logarithm of the number of domains that feasible nodes are in, plus 2. So the few pods
 *       of each of many domains are not lost beside the many of each of few. By host, the node's
 *       own pods count, and there are as many domains as feasible nodes. {@code maxSkew - 1} is
 *       added, by which differences weigh less.
 *   <li>The sum is rounded; the fewer the better: {@code 100 * (max + min - sum) / max}, or 100 if
 *       there are none anywhere.
 *   <li>Where all labels are asked for, a node that lacks one gets 0.
 * </ol>
 *
 * <p>As the weights depend on which nodes are feasible, all is done when that is known.
 */
final class SpreadScore implements NodeScore {
  private static final long IGNORED = -1;

  /**
   * Up to this many different scores get a table, to divide once for each and not for each node.
   */
  private static final int FEW = 1_000;

  private final SpreadCounts counts;

  SpreadScore(SpreadCounts counts) {
    this.counts = counts;
  }

  @Override
  public long score(int node) {
    return 0;
  }

  @Override
  public Normalization normalization() {
    return Normalization.OWN;
  }

  @Override
  public void normalize(long[] scores, BitSet feasible) {
    int[] nodes = nodes(feasible);
    double[] sums = new double[nodes.length];
    int ignored = counts.allTopologies() && !counts.nobodyLacks() ? ignore(nodes, sums) : 0;
    for (int i = 0; i < counts.size(); i++) {
      if (counts.constraint(i).isByHost()) {
        addHosts(i, nodes, sums, Math.log(nodes.length - ignored + 2));
      } else {
        addDomains(i, nodes, sums);
      }
    }
    finish(nodes, sums, scores);
  }

  /** The nodes of a set. Its words are walked, as asking for each next one takes much longer. */
  private static int[] nodes(BitSet feasible) {
    int[] nodes = new int[feasible.cardinality()];
    int size = 0;
    long[] words = feasible.toLongArray();
    for (int at = 0; at < words.length; at++) {
      for (long word = words[at]; word != 0; word &= word - 1) {
        nodes[size++] = (at << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return nodes;
  }

  /** Marks nodes that lack a label. Returns how many. */
  private int ignore(int[] nodes, double[] sums) {
    int ignored = 0;
    for (int at = 0; at < nodes.length; at++) {
      if (!counts.hasAllTopologies(nodes[at])) {
        sums[at] = Double.NEGATIVE_INFINITY;
        ignored++;
      }
    }
    return ignored;
  }

  private void addHosts(int i, int[] nodes, double[] sums, double weight) {
    TopologyColumn topology = counts.topology(i);
    double always = counts.constraint(i).maxSkew() - 1;
    for (int at = 0; at < nodes.length; at++) {
      if (topology.domain(nodes[at]) >= 0) {
        sums[at] += counts.podsOn(i, nodes[at]) * weight + always;
      }
    }
  }

  private void addDomains(int i, int[] nodes, double[] sums) {
    TopologyColumn topology = counts.topology(i);
    // One more for nodes without the label: together they are a domain, if they count at all.
    double[] byDomain = new double[topology.domains() + 1];
    Arrays.fill(byDomain, -1);
    int domains = 0;
    for (int at = 0; at < nodes.length && domains <= topology.domains(); at++) {
      if (sums[at] >= 0) {
        int domain = topology.domain(nodes[at]) + 1;
        if (byDomain[domain] < 0) {
          byDomain[domain] = 0;
          domains++;
        }
      }
    }
    double weight = Math.log(domains + 2);
    double always = counts.constraint(i).maxSkew() - 1;
    int[] pods = counts.podsByDomain(i);
    for (int domain = 1; domain < byDomain.length; domain++) {
      byDomain[domain] = pods[domain - 1] * weight + always;
    }
    byDomain[0] = 0;
    for (int at = 0; at < nodes.length; at++) {
      sums[at] += byDomain[topology.domain(nodes[at]) + 1];
    }
  }

  private static void finish(int[] nodes, double[] sums, long[] scores) {
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int at = 0; at < nodes.length; at++) {
      long score = sums[at] < 0 ? IGNORED : Math.round(sums[at]);
      scores[nodes[at]] = score;
      if (score != IGNORED) {
        min = Math.min(min, score);
        max = Math.max(max, score);
      }
    }
    if (max - min < FEW) {
      long[] known = new long[(int) Math.max(0, max - min + 1)];
      for (int i = 0; i < known.length; i++) {
        known[i] = normalized(min + i, min, max);
      }
      for (int node : nodes) {
        scores[node] = scores[node] == IGNORED ? 0 : known[(int) (scores[node] - min)];
      }
    } else {
      for (int node : nodes) {
        scores[node] = scores[node] == IGNORED ? 0 : normalized(scores[node], min, max);
      }
    }
  }

  private static long normalized(long score, long min, long max) {
    return max == 0 ? ScorePlugin.MAX : ScorePlugin.MAX * (max + min - score) / max;
  }
}
