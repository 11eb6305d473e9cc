package dev.berth.agent.config;

import dev.berth.policy.cpumanager.CpuOptions;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.memorymanager.ReservedMemory;
import dev.berth.policy.topology.TopologyOptions;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.policy.topology.TopologyScope;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which processors and which memory containers have, and whether these have to be close to each
 * other and to devices.
 *
 * @param hasStaticCpus whether the CPU manager's policy is {@code static}, else {@code none}
 * @param reservedCpus which processors are reserved; empty for the first ones
 * @param hasStaticMemory whether the memory manager's policy is {@code Static}, else {@code None}
 * @param topologyFile describes the machine instead of its kernel; empty for that
 */
public record ManagerSettings(
    TopologyPolicy topologyPolicy,
    TopologyScope scope,
    TopologyOptions topologyOptions,
    boolean hasStaticCpus,
    CpuOptions cpuOptions,
    CpuSet reservedCpus,
    boolean hasStaticMemory,
    List<ReservedMemory> reservedMemory,
    Optional<Path> topologyFile) {

  /** Kubernetes' defaults: containers run anywhere. */
  public static final ManagerSettings DEFAULT =
      new ManagerSettings(
          TopologyPolicy.NONE,
          TopologyScope.CONTAINER,
          TopologyOptions.DEFAULT,
          false,
          CpuOptions.NONE,
          CpuSet.EMPTY,
          false,
          List.of(),
          Optional.empty());

  public ManagerSettings {
    reservedMemory = List.copyOf(reservedMemory);
  }

  public ManagerSettings withTopologyFile(Optional<Path> file) {
    return new ManagerSettings(
        topologyPolicy,
        scope,
        topologyOptions,
        hasStaticCpus,
        cpuOptions,
        reservedCpus,
        hasStaticMemory,
        reservedMemory,
        file);
  }
}
