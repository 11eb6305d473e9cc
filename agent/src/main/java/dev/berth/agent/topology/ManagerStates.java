package dev.berth.agent.topology;

import dev.berth.agent.device.DurableFile;
import dev.berth.agent.runtime.Placement;
import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.policy.cpumanager.CpuAssignments;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.memorymanager.MemoryAssignments;
import dev.berth.policy.memorymanager.MemoryBlock;
import dev.berth.policy.topology.NumaMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What managers have to know after the agent's end, whatever ended it: which containers have which
 * processors and which memory. A manager that is off has no file.
 */
record ManagerStates(CpuAssignments cpus, MemoryAssignments memory) {

  /**
   * What is known from before.
   *
   * @param root the directory of the agent
   * @throws ConfigException if that does not fit the policies or the machine; it says what to do
   */
  static ManagerStates read(Path root, ManagerPlan plan) {
    Path cpuFile = root.resolve(CpuStateFile.NAME);
    String cpuPolicy = plan.cpus().isPresent() ? CpuStateFile.POLICY : "none";
    CpuAssignments cpus =
        read(cpuFile, "CPU", tree -> CpuStateFile.read(tree, cpuPolicy))
            .orElse(CpuAssignments.NONE);
    plan.cpus()
        .flatMap(policy -> policy.problem(cpus))
        .ifPresent(problem -> refuse(cpuFile, "CPU", problem));
    Path memoryFile = root.resolve(MemoryStateFile.NAME);
    String memoryPolicy = plan.memory().isPresent() ? MemoryStateFile.POLICY : "None";
    MemoryAssignments memory =
        read(memoryFile, "memory", tree -> MemoryStateFile.read(tree, memoryPolicy))
            .orElse(MemoryAssignments.NONE);
    plan.memory()
        .flatMap(policy -> policy.problem(memory))
        .ifPresent(problem -> refuse(memoryFile, "memory", problem));
    return new ManagerStates(
        cpus.equals(CpuAssignments.NONE)
            ? plan.cpus().map(policy -> policy.initial()).orElse(CpuAssignments.NONE)
            : cpus,
        memory.nodes().isEmpty()
            ? plan.memory().map(policy -> policy.initial()).orElse(MemoryAssignments.NONE)
            : memory);
  }

  private static <T> Optional<T> read(Path file, String manager, Function<JsonObject, T> reader) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          reader.apply(JsonReader.object(Files.readAllBytes(file), JsonLimits.TRUSTED)));
    } catch (JsonException e) {
      throw refusal(file, manager, "checkpoint is corrupted: " + e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw refusal(file, manager, String.valueOf(e.getMessage()));
    }
  }

  private static void refuse(Path file, String manager, String problem) {
    throw refusal(file, manager, problem);
  }

  private static ConfigException refusal(Path file, String manager, String problem) {
    return new ConfigException(
        ("could not restore state from checkpoint: %s, please drain this node and delete the %s"
                + " manager checkpoint file \"%s\" before restarting")
            .formatted(problem, manager, file));
  }

  /** Writes them; both files are the old or the new ones, and no container starts in between. */
  void write(Path root, ManagerPlan plan) throws IOException {
    if (plan.cpus().isPresent()) {
      write(root.resolve(CpuStateFile.NAME), CpuStateFile.write(cpus));
    }
    if (plan.memory().isPresent()) {
      write(root.resolve(MemoryStateFile.NAME), MemoryStateFile.write(memory));
    }
  }

  private static void write(Path file, JsonObject tree) throws IOException {
    DurableFile.write(file, JsonWriter.toBytes(tree));
  }

  boolean hasPod(String podUid) {
    return !cpus.of(podUid).isEmpty() || !memory.of(podUid).isEmpty();
  }

  /** Which processors and memory the containers of a pod may use. */
  Placement.OfPod placement(String podUid) {
    String shared = cpus.shared().toString();
    Set<String> names = new HashSet<>(cpus.of(podUid).keySet());
    names.addAll(memory.of(podUid).keySet());
    Map<String, Placement> own = new HashMap<>();
    for (String name : names) {
      Optional<CpuSet> exclusive = cpus.find(podUid, name);
      own.put(
          name,
          new Placement(
              exclusive.map(CpuSet::toString).orElse(shared),
              mems(memory.find(podUid, name)),
              exclusive.isPresent()));
    }
    return new Placement.OfPod(own, new Placement(shared, "", false));
  }

  private static String mems(List<MemoryBlock> blocks) {
    Set<Integer> nodes = new HashSet<>();
    blocks.forEach(block -> nodes.addAll(block.nodes()));
    return NumaMask.of(nodes).toString();
  }
}
