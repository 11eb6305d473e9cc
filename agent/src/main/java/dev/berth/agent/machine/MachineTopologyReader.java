package dev.berth.agent.machine;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import dev.berth.policy.cpumanager.CpuTopology.Cpu;
import dev.berth.policy.memorymanager.StaticMemory.NodeMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads from the kernel how a machine is put together. A machine that does not say has one node. It
 * reads small files of the kernel's, so it blocks, but not for long.
 */
final class MachineTopologyReader {
  private static final long KIBIBYTE = 1024;

  /** Caches above this level are shared by cores. */
  private static final int LEVEL_OF_CORES = 2;

  private final Path system;
  private final MachineInfo machine;

  MachineTopologyReader(MachineRoots roots, MachineInfo machine) {
    this.system = roots.sys().resolve("devices/system");
    this.machine = machine;
  }

  MachineTopology read() {
    List<Integer> online = CpuList.parse(MachineRoots.text(system.resolve("cpu/online")));
    SortedMap<Integer, MachineTopology.Node> nodes = new TreeMap<>();
    for (MachineInfo.NumaNode node : machine.numaNodes()) {
      // Some kernels split what they say of a machine's memory wrongly, but never its sum.
      long bytes = machine.numaNodes().size() == 1 ? machine.memoryBytes() : node.memoryBytes();
      Path folder = system.resolve("node/node" + node.number());
      List<Integer> cpus = new ArrayList<>(node.cpus());
      cpus.retainAll(online.isEmpty() ? node.cpus() : online);
      nodes.put(
          node.number(),
          new MachineTopology.Node(
              new NodeMemory(bytes, hugePages(folder)),
              distances(folder),
              cpus(cpus, node.number())));
    }
    if (nodes.isEmpty()) {
      List<Integer> all = new ArrayList<>(online);
      for (int cpu = 0; online.isEmpty() && cpu < machine.cpus(); cpu++) {
        all.add(cpu);
      }
      SortedMap<String, Long> pages = new TreeMap<>();
      machine.hugePages().forEach((size, bytes) -> pages.put(pageResource(size), bytes));
      nodes.put(
          0,
          new MachineTopology.Node(
              new NodeMemory(machine.memoryBytes(), pages), List.of(), cpus(all, 0)));
    }
    return new MachineTopology(nodes);
  }

  private static String pageResource(long bytes) {
    return "hugepages-" + Quantity.of(bytes, QuantityFormat.BINARY_SI);
  }

  private static SortedMap<String, Long> hugePages(Path node) {
    SortedMap<String, Long> pages = new TreeMap<>();
    for (Path folder : MachineRoots.children(node.resolve("hugepages"), "hugepages-*kB")) {
      String name = String.valueOf(folder.getFileName());
      OptionalLong size =
          MachineRoots.number(name.substring("hugepages-".length(), name.length() - "kB".length()));
      OptionalLong count = MachineRoots.number(folder.resolve("nr_hugepages"));
      if (size.isPresent() && count.isPresent()) {
        long page = size.getAsLong() * KIBIBYTE;
        pages.put(pageResource(page), page * count.getAsLong());
      }
    }
    return pages;
  }

  private static List<Integer> distances(Path node) {
    List<Integer> distances = new ArrayList<>();
    for (String each : MachineRoots.text(node.resolve("distance")).split(" +", -1)) {
      MachineRoots.number(each).ifPresent(number -> distances.add((int) number));
    }
    return distances;
  }

  private SortedMap<Integer, Cpu> cpus(List<Integer> numbers, int node) {
    SortedMap<Integer, Cpu> cpus = new TreeMap<>();
    for (int number : numbers) {
      Path folder = system.resolve("cpu/cpu" + number);
      List<Integer> siblings =
          CpuList.parse(MachineRoots.text(folder.resolve("topology/thread_siblings_list")));
      int core = siblings.stream().filter(numbers::contains).min(Integer::compare).orElse(number);
      int socket =
          (int) MachineRoots.number(folder.resolve("topology/physical_package_id")).orElse(0);
      cpus.put(number, new Cpu(node, Math.max(0, socket), core, cache(folder, socket)));
    }
    return cpus;
  }

  /**
   * The lowest processor that shares the last level of cache; the socket if there is no such one.
   */
  private static int cache(Path cpu, int socket) {
    for (Path index : MachineRoots.children(cpu.resolve("cache"), "index[0-9]*")) {
      if (MachineRoots.number(index.resolve("level")).orElse(0) > LEVEL_OF_CORES) {
        OptionalLong id = MachineRoots.number(index.resolve("id"));
        List<Integer> shared = CpuList.parse(MachineRoots.text(index.resolve("shared_cpu_list")));
        return (int) id.orElse(shared.isEmpty() ? socket : shared.getFirst());
      }
    }
    return Math.max(0, socket);
  }
}
