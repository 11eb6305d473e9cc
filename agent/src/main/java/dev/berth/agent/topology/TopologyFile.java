package dev.berth.agent.topology;

import dev.berth.agent.machine.MachineTopology;
import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonArray;
import dev.berth.policy.cpumanager.CpuTopology.Cpu;
import dev.berth.policy.memorymanager.StaticMemory.NodeMemory;
import dev.berth.policy.topology.NumaMask;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine's topology as a file describes it, for tests and for machines whose kernel does not
 * know it:
 *
 * <pre>
 * apiVersion: berth.dev/v1
 * kind: MachineTopology
 * nodes:
 * - id: 0
 *   memory: 16Gi
 *   hugepages: {2Mi: 1Gi}
 *   distances: [10, 21]
 *   cpus:
 *   - {id: 0, core: 0, socket: 0, cache: 0}
 * </pre>
 */
final class TopologyFile {
  private static final int MOST_CPUS = 1 << 16;

  private final Set<Integer> cpusSeen = new HashSet<>();

  private TopologyFile() {}

  /**
   * @throws ConfigException if there is no such file, or it describes no machine
   */
  static MachineTopology read(Path file) {
    return ConfigFile.read(file, "berth.dev/v1", "MachineTopology", new TopologyFile()::machine);
  }

  private MachineTopology machine(ConfigFields fields) {
    fields.onlyHas(Set.of("apiVersion", "kind", "nodes"));
    SortedMap<Integer, MachineTopology.Node> nodes = new TreeMap<>();
    for (ConfigFields each : fields.objects("nodes")) {
      each.onlyHas(Set.of("id", "memory", "hugepages", "distances", "cpus"));
      int id = (int) each.inRange("id", -1, 0, NumaMask.MOST_NODES - 1);
      ConfigFields pages = each.object("hugepages");
      SortedMap<String, Long> bytes = new TreeMap<>();
      pages.tree().names().forEach(size -> bytes.put("hugepages-" + size, bytes(pages, size)));
      NodeMemory memory = new NodeMemory(bytes(each, "memory"), bytes);
      if (nodes.put(id, new MachineTopology.Node(memory, distances(each), cpus(each, id)))
          != null) {
        each.invalid("id", (long) id, "is the number of another node, too");
      }
    }
    if (nodes.isEmpty()) {
      fields.required("nodes", "a machine has a node at least");
    }
    return new MachineTopology(nodes);
  }

  private static long bytes(ConfigFields fields, String name) {
    try {
      return Quantity.parse(fields.text(name, "0")).value();
    } catch (QuantityFormatException e) {
      fields.invalid(name, fields.text(name, ""), "must be a quantity such as 16Gi");
      return 0;
    }
  }

  private static List<Integer> distances(ConfigFields node) {
    JsonArray array = node.array("distances");
    List<Integer> distances = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i) instanceof Number number && number.longValue() > 0) {
        distances.add(number.intValue());
      } else {
        node.invalid("distances", array.get(i), "must be numbers above zero, one for each node");
      }
    }
    return distances;
  }

  private SortedMap<Integer, Cpu> cpus(ConfigFields node, int number) {
    SortedMap<Integer, Cpu> cpus = new TreeMap<>();
    for (ConfigFields each : node.objects("cpus")) {
      each.onlyHas(Set.of("id", "core", "socket", "cache"));
      int id = (int) each.inRange("id", -1, 0, MOST_CPUS);
      int socket = (int) each.inRange("socket", 0, 0, MOST_CPUS);
      int core = (int) each.inRange("core", id, 0, MOST_CPUS);
      int cache = (int) each.inRange("cache", socket, 0, MOST_CPUS);
      if (!cpusSeen.add(id)) {
        each.invalid("id", (long) id, "is the number of another processor, too");
      }
      cpus.put(id, new Cpu(number, socket, core, cache));
    }
    return cpus;
  }
}
