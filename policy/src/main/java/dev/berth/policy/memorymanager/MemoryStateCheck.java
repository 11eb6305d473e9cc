package dev.berth.policy.memorymanager;

import dev.berth.policy.topology.NumaMask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Whether what was written down earlier fits a machine and what is reserved of it. */
final class MemoryStateCheck {
  private MemoryStateCheck() {}

  /**
   * Why it does not; empty if it does.
   *
   * @param initial the machine while nobody was given anything
   */
  static Optional<String> problem(MemoryAssignments known, MemoryAssignments initial) {
    if (known.nodes().isEmpty()) {
      return known.blocks().isEmpty()
          ? Optional.empty()
          : Optional.of(
              "[memorymanager] machine state can not be empty when it has memory assignments");
    }
    MemoryAssignments expected = initial;
    for (Map.Entry<String, SortedMap<String, List<MemoryBlock>>> pod : known.blocks().entrySet()) {
      for (Map.Entry<String, List<MemoryBlock>> container : pod.getValue().entrySet()) {
        for (MemoryBlock block : container.getValue()) {
          Optional<String> foreign = foreign(block, initial);
          if (foreign.isPresent()) {
            return Optional.of(
                "[memorymanager] (pod: %s, container: %s) the memory assignment uses %s"
                    .formatted(pod.getKey(), container.getKey(), foreign.get()));
          }
          expected = expected.take(block.nodes(), block.type(), block.bytes());
        }
      }
    }
    return isSame(known, expected)
        ? Optional.empty()
        : Optional.of("[memorymanager] the expected machine state is different from the real one");
  }

  private static Optional<String> foreign(MemoryBlock block, MemoryAssignments initial) {
    for (int node : block.nodes()) {
      NumaMemory memory = initial.nodes().get(node);
      if (memory == null) {
        return Optional.of("the NUMA that does not exist");
      }
      if (!memory.tables().containsKey(block.type())) {
        return Optional.of("memory resource that does not exist");
      }
    }
    return Optional.empty();
  }

  /** Within a group, only sums are compared: who came first decides which node gave how much. */
  private static boolean isSame(MemoryAssignments known, MemoryAssignments expected) {
    return known.nodes().keySet().equals(expected.nodes().keySet())
        && known.nodes().keySet().stream()
            .allMatch(node -> {
              NumaMemory one = known.nodes().get(node);
              NumaMemory other = expected.nodes().get(node);
              return one != null
                  && other != null
                  && one.assignments() == other.assignments()
                  && NumaMask.of(one.cells()).equals(NumaMask.of(other.cells()))
                  && one.tables().keySet().equals(other.tables().keySet())
                  && one.tables().keySet().stream()
                      .allMatch(type ->
                          one.table(type).isSameMachine(other.table(type))
                              && StaticMemory.free(known, one.cells(), type)
                                  == StaticMemory.free(expected, one.cells(), type)
                              && reserved(known, one.cells(), type)
                                  == reserved(expected, one.cells(), type));
            });
  }

  private static long reserved(MemoryAssignments memory, List<Integer> nodes, String type) {
    return StaticMemory.tables(memory, nodes, type).mapToLong(NumaMemory.Table::reserved).sum();
  }
}
