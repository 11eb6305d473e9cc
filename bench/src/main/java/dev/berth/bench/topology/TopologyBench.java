package dev.berth.bench.topology;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.NumaNodes;
import dev.berth.policy.topology.TopologyDecision;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import dev.berth.policy.topology.TopologyOptions;
import dev.berth.policy.topology.TopologyPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Merges the hints of four resources on a machine of eight NUMA nodes, all 255 sets of which could
 * give each resource: four billion ways to combine them.
 */
public final class TopologyBench {
  private static final int NODES = 8;
  private static final int RESOURCES = 4;
  private static final int ROUNDS = 9;
  private static final int TIMES = 2000;

  /** Written and printed, so that the compiler cannot drop work whose result nobody uses. */
  private static long sink;

  private TopologyBench() {}

  public static void main(String[] args) {
    SortedMap<Integer, List<Integer>> distances = new TreeMap<>();
    List<Integer> row = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      row.add(10 + node);
    }
    for (int node = 0; node < NODES; node++) {
      distances.put(node, row);
    }
    NumaNodes machine = new NumaNodes(distances);
    System.out.printf("topology: %d NUMA nodes, %d resources%n", NODES, RESOURCES);
    List<Hints> agreeing = hints(machine, false);
    long began = System.nanoTime();
    merge(machine, agreeing, TopologyOptions.DEFAULT);
    Figure.forComparison("the first merge of a process", "µs")
        .print((System.nanoTime() - began) / 1e3);
    print("merge: all prefer the same nodes", machine, agreeing, TopologyOptions.DEFAULT);
    List<Hints> disagreeing = hints(machine, true);
    print("merge: each prefers others", machine, disagreeing, TopologyOptions.DEFAULT);
    print(
        "the same, with the closest nodes", machine, disagreeing, new TopologyOptions(true, NODES));
    System.out.println("(checksum " + sink + ")");
  }

  /** All sets of nodes for each resource; one node is preferred, or one of each resource's own. */
  private static List<Hints> hints(NumaNodes machine, boolean disagree) {
    List<Hints> providers = new ArrayList<>();
    for (int resource = 0; resource < RESOURCES; resource++) {
      int own = resource;
      List<TopologyHint> hints = new ArrayList<>();
      NumaMask.forEachSubset(
          machine.numbers(),
          mask ->
              hints.add(TopologyHint.of(mask, mask.count() == 1 && (!disagree || mask.has(own)))));
      providers.add(Hints.of("resource-" + resource, hints));
    }
    return providers;
  }

  private static void print(
      String name, NumaNodes machine, List<Hints> hints, TopologyOptions options) {
    double[] measured = new double[ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < TIMES; i++) {
        merge(machine, hints, options);
      }
      measured[Math.max(0, round)] = (System.nanoTime() - began) / 1e3 / TIMES;
    }
    new Figure(name, "µs", 1000, Better.LOWER).print(measured);
  }

  private static void merge(NumaNodes machine, List<Hints> hints, TopologyOptions options) {
    TopologyDecision decision =
        TopologyDecision.decide(TopologyPolicy.RESTRICTED, options, machine, hints);
    sink += decision.hint().affinity().map(NumaMask::bits).orElse(0L);
  }
}
