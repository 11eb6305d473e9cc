package dev.berth.policy.memorymanager;

import java.util.List;

/**
 * Memory that a container was given.
 *
 * @param nodes all of which it may be from
 * @param type {@code memory}, or the name of a resource of huge pages
 */
public record MemoryBlock(List<Integer> nodes, String type, long bytes) {
  public MemoryBlock {
    nodes = List.copyOf(nodes);
  }

  MemoryBlock withBytes(long changed) {
    return new MemoryBlock(nodes, type, changed);
  }
}
