package dev.berth.policy.cpumanager;

import java.util.SortedMap;
import java.util.TreeMap;

/** Machines as upstream's tests have them. */
final class TestMachines {
  private TestMachines() {}

  static CpuTopology machine(String name) {
    return switch (name) {
      case "one-socket-smt" -> machine(8, 4, 1, 1, 1, false);
      case "two-sockets-smt" -> machine(12, 6, 2, 2, 1, true);
      case "two-sockets" -> machine(8, 8, 2, 2, 1, false);
      case "four-nodes-smt" -> machine(80, 40, 4, 2, 1, false);
      case "eight-nodes-smt" -> machine(256, 128, 8, 2, 1, false);
      case "two-sockets-caches" -> machine(16, 16, 1, 2, 4, false);
      case "two-nodes-caches" -> machine(16, 16, 2, 1, 4, false);
      case "caches-smt" -> machine(16, 8, 1, 1, 2, false);
      case "caches" -> machine(16, 16, 1, 1, 4, false);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * A machine whose second processors of cores are numbered after all first ones.
   *
   * @param alternates whether cores are numbered across nodes, not node by node
   */
  static CpuTopology machine(
      int cpus, int cores, int nodes, int sockets, int caches, boolean alternates) {
    SortedMap<Integer, CpuTopology.Cpu> all = new TreeMap<>();
    for (int cpu = 0; cpu < cpus; cpu++) {
      int core = cpu % cores;
      int node = alternates ? core % nodes : core / (cores / nodes);
      int socket = alternates ? core % sockets : core / (cores / sockets);
      all.put(cpu, new CpuTopology.Cpu(node, socket, core, core / (cores / caches)));
    }
    return new CpuTopology(all);
  }
}
