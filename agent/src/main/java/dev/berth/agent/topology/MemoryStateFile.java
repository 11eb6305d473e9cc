package dev.berth.agent.topology;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.memorymanager.MemoryAssignments;
import dev.berth.policy.memorymanager.MemoryBlock;
import dev.berth.policy.memorymanager.NumaMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code memory_manager_state}, as a kubelet writes and reads it. */
final class MemoryStateFile {
  static final String NAME = "memory_manager_state";
  static final String POLICY = "Static";

  private MemoryStateFile() {}

  static JsonObject write(MemoryAssignments assignments) {
    JsonObject.Builder nodes = new JsonObject.Builder();
    assignments.nodes().forEach((number, node) -> nodes.put("" + number, tree(node)));
    JsonObject.Builder entries = new JsonObject.Builder();
    assignments
        .blocks()
        .forEach((pod, containers) -> {
          JsonObject.Builder each = new JsonObject.Builder();
          containers.forEach((name, blocks) ->
              each.put(
                  name, JsonArray.copyOf(blocks.stream().map(MemoryStateFile::tree).toList())));
          entries.put(pod, each.build());
        });
    JsonObject.Builder file =
        new JsonObject.Builder().put("policyName", POLICY).put("machineState", nodes.build());
    if (!assignments.blocks().isEmpty()) {
      file.put("entries", entries.build());
    }
    return file.put("checksum", checksum(POLICY, assignments)).build();
  }

  private static JsonObject tree(NumaMemory node) {
    JsonObject.Builder tables = new JsonObject.Builder();
    node.tables()
        .forEach((type, table) ->
            tables.put(
                type,
                new JsonObject.Builder()
                    .put("total", table.total())
                    .put("systemReserved", table.systemReserved())
                    .put("allocatable", table.allocatable())
                    .put("reserved", table.reserved())
                    .put("free", table.free())
                    .build()));
    return new JsonObject.Builder()
        .put("numberOfAssignments", (long) node.assignments())
        .put("memoryMap", tables.build())
        .put("cells", numbers(node.cells()))
        .build();
  }

  private static JsonObject tree(MemoryBlock block) {
    return new JsonObject.Builder()
        .put("numaAffinity", numbers(block.nodes()))
        .put("type", block.type())
        .put("size", block.bytes())
        .build();
  }

  private static JsonArray numbers(List<Integer> numbers) {
    return JsonArray.copyOf(numbers.stream().map(Integer::longValue).toList());
  }

  private static long checksum(String policy, MemoryAssignments assignments) {
    // Go sorts numbers by value, as the maps here do.
    String nodes =
        assignments.nodes().entrySet().stream()
            .map(node -> node.getKey() + ":<*>" + text(node.getValue()))
            .collect(Collectors.joining(" ", "map[", "]"));
    SortedMap<String, String> pods = new TreeMap<>();
    assignments
        .blocks()
        .forEach((pod, containers) -> {
          SortedMap<String, String> each = new TreeMap<>();
          containers.forEach((name, blocks) ->
              each.put(
                  name,
                  blocks.stream()
                      .map(block ->
                          "{NUMAAffinity:([]int)%s Type:(v1.ResourceName)%s Size:(uint64)%d}"
                              .formatted(list(block.nodes()), block.type(), block.bytes()))
                      .collect(Collectors.joining(" ", "[", "]"))));
          pods.put(pod, CpuStateFile.map(each));
        });
    return Checksum.of(
        ("(*state.MemoryManagerCheckpoint){PolicyName:(string)%s MachineState:(state.NUMANodeMap)%s"
                + " Entries:(state.ContainerMemoryAssignments)%s Checksum:(checksum.Checksum)0}")
            .formatted(policy, nodes, CpuStateFile.map(pods)));
  }

  private static String text(NumaMemory node) {
    SortedMap<String, String> tables = new TreeMap<>();
    node.tables()
        .forEach((type, table) ->
            tables.put(
                type,
                ("<*>{TotalMemSize:(uint64)%d SystemReserved:(uint64)%d Allocatable:(uint64)%d"
                        + " Reserved:(uint64)%d Free:(uint64)%d}")
                    .formatted(
                        table.total(),
                        table.systemReserved(),
                        table.allocatable(),
                        table.reserved(),
                        table.free())));
    return ("{NumberOfAssignments:(int)%d MemoryMap:(map[v1.ResourceName]*state.MemoryTable)%s"
            + " Cells:([]int)%s}")
        .formatted(node.assignments(), CpuStateFile.map(tables), list(node.cells()));
  }

  private static String list(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" ", "[", "]"));
  }

  /**
   * @param policy what is configured
   * @throws IllegalArgumentException if it is damaged, or another policy's; the message says so
   */
  static MemoryAssignments read(JsonObject file, String policy) {
    MemoryAssignments read;
    try {
      read = assignments(file);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("checkpoint is corrupted", e);
    }
    String written = file.text("policyName", "");
    long checksum = file.integer("checksum").orElse(0);
    if (checksum != 0 && checksum != checksum(written, read)) {
      throw new IllegalArgumentException("checkpoint is corrupted");
    }
    if (!written.equals(policy)) {
      throw new IllegalArgumentException(
          "[memorymanager] configured policy \"%s\" differs from state checkpoint policy \"%s\""
              .formatted(policy, written));
    }
    return read;
  }

  private static MemoryAssignments assignments(JsonObject file) {
    SortedMap<Integer, NumaMemory> nodes = new TreeMap<>();
    JsonObject machine = file.object("machineState");
    for (String number : machine.names()) {
      nodes.put(Integer.parseInt(number), node(machine.object(number)));
    }
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> pods = new TreeMap<>();
    JsonObject entries = file.object("entries");
    for (String pod : entries.names()) {
      SortedMap<String, List<MemoryBlock>> containers = new TreeMap<>();
      for (String name : entries.object(pod).names()) {
        List<MemoryBlock> blocks = new ArrayList<>();
        for (JsonObject block : entries.object(pod).array(name).objects()) {
          blocks.add(
              new MemoryBlock(
                  numbers(block.array("numaAffinity")),
                  block.text("type", ""),
                  block.integer("size").orElse(0)));
        }
        containers.put(name, blocks);
      }
      pods.put(pod, containers);
    }
    return new MemoryAssignments(nodes, pods);
  }

  private static NumaMemory node(JsonObject tree) {
    SortedMap<String, NumaMemory.Table> tables = new TreeMap<>();
    JsonObject map = tree.object("memoryMap");
    for (String type : map.names()) {
      JsonObject table = map.object(type);
      tables.put(
          type,
          new NumaMemory.Table(
              table.integer("total").orElse(0),
              table.integer("systemReserved").orElse(0),
              table.integer("allocatable").orElse(0),
              table.integer("reserved").orElse(0),
              table.integer("free").orElse(0)));
    }
    return new NumaMemory(
        (int) tree.integer("numberOfAssignments").orElse(0), tables, numbers(tree.array("cells")));
  }

  private static List<Integer> numbers(JsonArray array) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      numbers.add(array.get(i) instanceof Number number ? number.intValue() : -1);
    }
    return numbers;
  }
}
