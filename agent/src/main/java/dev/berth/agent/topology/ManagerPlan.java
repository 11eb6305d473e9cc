package dev.berth.agent.topology;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.ManagerSettings;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.machine.MachineTopology;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.cpumanager.StaticCpus;
import dev.berth.policy.memorymanager.StaticMemory;
import dev.berth.policy.nodestatus.Allocatable;
import dev.berth.policy.pressure.Thresholds;
import dev.berth.policy.topology.NumaNodes;
import dev.berth.policy.topology.PolicyOptionException;
import dev.berth.policy.topology.TopologyPolicy;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the managers of a node do, on the machine that it is.
 *
 * @param cpus empty if containers run on any processor
 * @param memory empty if containers have memory from anywhere
 */
public record ManagerPlan(
    ManagerSettings settings,
    NumaNodes nodes,
    Optional<StaticCpus> cpus,
    Optional<StaticMemory> memory) {

  /** Nothing is managed. */
  public static final ManagerPlan NONE =
      new ManagerPlan(
          ManagerSettings.DEFAULT,
          new NumaNodes(new TreeMap<>()),
          Optional.empty(),
          Optional.empty());

  /**
   * The plan of a node.
   *
   * @throws ConfigException if its settings do not fit the machine
   */
  public static ManagerPlan of(AgentSettings settings, MachineReader machine) {
    ManagerSettings managers = settings.pods().managers();
    if (managers.equals(ManagerSettings.DEFAULT)) {
      return NONE;
    }
    try {
      return of(
          settings,
          managers.topologyFile().map(TopologyFile::read).orElseGet(machine::topology),
          machine.info().memoryBytes());
    } catch (PolicyOptionException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  private static ManagerPlan of(AgentSettings settings, MachineTopology machine, long memoryBytes) {
    ManagerSettings managers = settings.pods().managers();
    NumaNodes nodes = machine.numaNodes();
    check(managers, nodes);
    CpuSet all = machine.cpus().all();
    if (!managers.reservedCpus().minus(all).isEmpty()) {
      throw new PolicyOptionException(
          "reserved-cpus: %s is not a subset of online-cpus: %s"
              .formatted(managers.reservedCpus(), all));
    }
    Optional<StaticCpus> cpus = Optional.empty();
    if (managers.hasStaticCpus()) {
      Quantity reserved =
          settings
              .reservations()
              .system()
              .get(ResourceList.CPU)
              .plus(settings.reservations().kube().get(ResourceList.CPU));
      cpus =
          Optional.of(
              StaticCpus.of(
                  machine.cpus(), reserved, managers.reservedCpus(), managers.cpuOptions()));
      managers
          .cpuOptions()
          .conflict(managers.topologyPolicy(), machine.cpus())
          .ifPresent(why -> {
            throw new PolicyOptionException("new static policy error: " + why);
          });
    }
    Optional<StaticMemory> memory =
        managers.hasStaticMemory()
            ? Optional.of(
                StaticMemory.of(
                    machine.memory(),
                    managers.reservedMemory(),
                    reservedMemory(settings, memoryBytes)))
            : Optional.empty();
    return new ManagerPlan(managers, nodes, cpus, memory);
  }

  private static void check(ManagerSettings managers, NumaNodes nodes) {
    int most = managers.topologyOptions().mostNodes();
    if (managers.topologyPolicy() == TopologyPolicy.NONE) {
      return;
    }
    if (managers.topologyOptions().prefersClosest()
        && nodes.distances().values().stream()
            .anyMatch(row -> row.size() < nodes.distances().size())) {
      throw new PolicyOptionException(
          "cannot discover NUMA topology: error getting NUMA distances from the machine");
    }
    if (nodes.distances().size() > most) {
      throw new PolicyOptionException(
          "unsupported on machines with more than %d NUMA Nodes".formatted(most));
    }
  }

  /** What pods do not get of the machine's memory. */
  private static ResourceList reservedMemory(AgentSettings settings, long memoryBytes) {
    Quantity capacity = Quantity.of(memoryBytes, QuantityFormat.BINARY_SI);
    ResourceList whole = ResourceList.EMPTY.with(ResourceList.MEMORY, capacity);
    Quantity left =
        Allocatable.of(
                whole,
                settings.reservations().system(),
                settings.reservations().kube(),
                Thresholds.parse(settings.eviction().thresholds()))
            .get(ResourceList.MEMORY);
    return ResourceList.EMPTY.with(ResourceList.MEMORY, capacity.minus(left));
  }

  /** Whether there is nothing to do. */
  boolean isIdle() {
    return cpus.isEmpty() && memory.isEmpty() && settings.topologyPolicy() == TopologyPolicy.NONE;
  }
}
