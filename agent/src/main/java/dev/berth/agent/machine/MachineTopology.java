package dev.berth.agent.machine;

import dev.berth.policy.cpumanager.CpuTopology;
import dev.berth.policy.memorymanager.StaticMemory;
import dev.berth.policy.topology.NumaNodes;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The NUMA nodes of a machine, by their numbers, with their memory and processors. */
public record MachineTopology(SortedMap<Integer, Node> nodes) {

  /**
   * One of them.
   *
   * @param distances to all nodes, by their numbers; none if they are not known
   * @param cpus those that are online
   */
  public record Node(
      StaticMemory.NodeMemory memory,
      List<Integer> distances,
      SortedMap<Integer, CpuTopology.Cpu> cpus) {
    public Node {
      distances = List.copyOf(distances);
      cpus = Collections.unmodifiableSortedMap(new TreeMap<>(cpus));
    }
  }

  public MachineTopology {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
  }

  public CpuTopology cpus() {
    SortedMap<Integer, CpuTopology.Cpu> all = new TreeMap<>();
    nodes.values().forEach(node -> all.putAll(node.cpus));
    return new CpuTopology(all);
  }

  public NumaNodes numaNodes() {
    SortedMap<Integer, List<Integer>> distances = new TreeMap<>();
    nodes.forEach((number, node) -> distances.put(number, node.distances));
    return new NumaNodes(distances);
  }

  public SortedMap<Integer, StaticMemory.NodeMemory> memory() {
    SortedMap<Integer, StaticMemory.NodeMemory> memory = new TreeMap<>();
    nodes.forEach((number, node) -> memory.put(number, node.memory));
    return memory;
  }
}
