package dev.berth.policy.cpumanager;

import dev.berth.policy.cpumanager.CpuTopology.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes processors evenly from as few NUMA nodes as can give them ({@code
 * distribute-cpus-across-numa}). Of the sets of as many nodes, the one is taken after which the
 * nodes of the machine have as equal numbers left as can be; what cannot be divided evenly is taken
 * from those of its nodes with which that holds, in groups.
 */
final class CpuDistribution {
  private static final double ROUNDING = 1000;

  private final CpuTopology machine;
  private final CpuSet available;
  private final int count;
  private final int groupSize;
  private final boolean spreads;
  private final List<Integer> nodes;
  private final Map<Integer, Integer> left = new TreeMap<>();

  /**
   * Nodes to take from.
   *
   * @param remainder those that give a group more than the others
   * @param balance how unequal the nodes of the machine are afterwards
   */
  private record Plan(List<Integer> nodes, List<Integer> remainder, double balance) {}

  private CpuDistribution(
      CpuTopology machine, CpuSet available, int count, int groupSize, boolean spreads) {
    this.machine = machine;
    this.available = available;
    this.count = count;
    this.groupSize = groupSize;
    this.spreads = spreads;
    this.nodes = CpuChoice.nodesInOrder(machine, available);
    CpuTopology free = machine.only(available);
    nodes.forEach(node -> left.put(node, free.in(Level.NUMA_NODE, node).size()));
  }

  /**
   * Takes as many as asked for; empty if there are not so many.
   *
   * @param groupSize how many are taken together: those of a core, or one
   */
  static Optional<CpuSet> distributed(
      CpuTopology machine, CpuSet available, int count, int groupSize, boolean spreads) {
    if (count > available.size()) {
      return Optional.empty();
    }
    return count > 0 && count % groupSize == 0
        ? new CpuDistribution(machine, available, count, groupSize, spreads).take()
        : CpuChoice.packed(machine, available, count, spreads, false);
  }

  private Optional<CpuSet> take() {
    int groups = (machine.cpus().size() - 1) / groupSize + 1;
    int groupsPerNode = (groups - 1) / machine.count(Level.NUMA_NODE) + 1;
    int groupsNeeded = (count - 1) / groupSize + 1;
    int fewest = (groupsNeeded - 1) / groupsPerNode + 1;
    for (int size = fewest; size <= Math.min(groupsNeeded, nodes.size()); size++) {
      Plan best = null;
      for (List<Integer> combination : combinations(nodes, size)) {
        Plan plan = best != null && best.balance == 0 ? null : plan(combination);
        if (plan != null && (best == null || plan.balance < best.balance)) {
          best = plan;
        }
      }
      if (best != null && best.balance < Double.POSITIVE_INFINITY) {
        return Optional.of(carryOut(best));
      }
    }
    return CpuChoice.packed(machine, available, count, spreads, false);
  }

  private int evenShare(int parts) {
    return count / parts / groupSize * groupSize;
  }

  private @Nullable Plan plan(List<Integer> combination) {
    int share = evenShare(combination.size());
    int groups =
        combination.stream().mapToInt(node -> left.getOrDefault(node, 0) / groupSize).sum();
    if (groups * groupSize < count
        || combination.stream().anyMatch(node -> left.getOrDefault(node, 0) < share)) {
      return null;
    }
    Map<Integer, Integer> after = new TreeMap<>(left);
    combination.forEach(node -> after.merge(node, -share, Integer::sum));
    int remainder = count - share * combination.size();
    if (remainder == 0) {
      return new Plan(combination, List.of(), deviation(after.values()));
    }
    List<Integer> givers =
        combination.stream().filter(node -> after.getOrDefault(node, 0) >= groupSize).toList();
    Plan best = null;
    for (int size = givers.size(); size >= 1; size--) {
      for (List<Integer> subset : combinations(givers, size)) {
        if (subset.stream().mapToInt(node -> after.getOrDefault(node, 0)).sum() >= remainder) {
          double balance = balanceAfter(after, subset, remainder);
          if (best == null || balance < best.balance) {
            best = new Plan(combination, subset, balance);
          }
        }
      }
    }
    return best;
  }

  /** How unequal nodes are after some of them gave the remainder; infinitely if they cannot. */
  private double balanceAfter(Map<Integer, Integer> before, List<Integer> subset, int remainder) {
    Map<Integer, Integer> after = new TreeMap<>(before);
    int missing = remainder;
    while (missing > 0) {
      int atStart = missing;
      for (int node : subset) {
        if (missing > 0 && after.getOrDefault(node, 0) >= groupSize) {
          after.merge(node, -groupSize, Integer::sum);
          missing -= groupSize;
        }
      }
      if (missing == atStart) {
        return Double.POSITIVE_INFINITY; // All that is left are parts of groups.
      }
    }
    return deviation(after.values());
  }

  private CpuSet carryOut(Plan plan) {
    CpuSet taken = CpuSet.EMPTY;
    int share = evenShare(plan.nodes.size());
    for (int node : plan.nodes) {
      taken = taken.union(takeFrom(node, taken, share));
    }
    while (taken.size() < count) {
      int atStart = taken.size();
      for (int node : plan.remainder) {
        if (taken.size() < count) {
          taken = taken.union(takeFrom(node, taken, groupSize));
        }
      }
      if (taken.size() == atStart) {
        throw new IllegalStateException(
            "accounting error, not enough CPUs allocated, remaining: " + (count - taken.size()));
      }
    }
    return taken;
  }

  private CpuSet takeFrom(int node, CpuSet taken, int number) {
    CpuSet free = machine.in(Level.NUMA_NODE, node).intersection(available).minus(taken);
    return CpuChoice.packed(machine, free, number, spreads, false).orElse(CpuSet.EMPTY);
  }

  private static double deviation(Collection<Integer> numbers) {
    double mean = rounded(numbers.stream().mapToInt(Integer::intValue).average().orElse(0));
    double squares = numbers.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
    return rounded(Math.sqrt(squares / numbers.size()));
  }

  private static double rounded(double number) {
    return Math.round(number * ROUNDING) / ROUNDING;
  }

  private static List<List<Integer>> combinations(List<Integer> of, int size) {
    if (size == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i <= of.size() - size; i++) {
      for (List<Integer> rest : combinations(of.subList(i + 1, of.size()), size - 1)) {
        List<Integer> combination = new ArrayList<>(size);
        combination.add(of.get(i));
        combination.addAll(rest);
        all.add(combination);
      }
    }
    return all;
  }
}
