package dev.berth.policy.memorymanager;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What each NUMA node has left, and which containers have which memory.
 *
 * @param blocks by the uid of a pod and the name of a container
 */
public record MemoryAssignments(
    SortedMap<Integer, NumaMemory> nodes,
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> blocks) {
  public static final MemoryAssignments NONE =
      new MemoryAssignments(new TreeMap<>(), new TreeMap<>());

  public MemoryAssignments {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> copy = new TreeMap<>();
    blocks.forEach((pod, containers) ->
        copy.put(pod, Collections.unmodifiableSortedMap(new TreeMap<>(containers))));
    blocks = Collections.unmodifiableSortedMap(copy);
  }

  public SortedMap<String, List<MemoryBlock>> of(String podUid) {
    return blocks.getOrDefault(podUid, Collections.emptySortedMap());
  }

  /** The blocks of a container; none if it was given none. */
  public List<MemoryBlock> find(String podUid, String container) {
    return of(podUid).getOrDefault(container, List.of());
  }

  MemoryAssignments with(String podUid, String container, List<MemoryBlock> given) {
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> changed = new TreeMap<>(blocks);
    SortedMap<String, List<MemoryBlock>> containers = new TreeMap<>(of(podUid));
    containers.put(container, given);
    changed.put(podUid, containers);
    return new MemoryAssignments(nodes, changed);
  }

  /** Takes memory from the first of some nodes that have any, then from the next. */
  MemoryAssignments take(List<Integer> group, String type, long bytes) {
    SortedMap<Integer, NumaMemory> changed = new TreeMap<>(nodes);
    long missing = bytes;
    for (int node : group) {
      NumaMemory memory = changed.get(node);
      if (memory != null) {
        long here = Math.min(missing, Math.max(0, memory.table(type).free()));
        changed.put(node, memory.given(group, type, here));
        missing -= here;
      }
    }
    return new MemoryAssignments(changed, blocks);
  }

  private MemoryAssignments giveBack(MemoryBlock block) {
    SortedMap<Integer, NumaMemory> changed = new TreeMap<>(nodes);
    long left = block.bytes();
    for (int node : block.nodes()) {
      NumaMemory memory = changed.get(node);
      if (memory != null) {
        long here = Math.min(left, memory.table(block.type()).reserved());
        changed.put(node, memory.returned(node, block.type(), here));
        left -= here;
      }
    }
    return new MemoryAssignments(changed, blocks);
  }

  /** What a container had is free. */
  public MemoryAssignments without(String podUid, String container) {
    SortedMap<String, List<MemoryBlock>> containers = new TreeMap<>(of(podUid));
    List<MemoryBlock> had = containers.remove(container);
    if (had == null) {
      return this;
    }
    SortedMap<String, SortedMap<String, List<MemoryBlock>>> left = new TreeMap<>(blocks);
    if (containers.isEmpty()) {
      left.remove(podUid);
    } else {
      left.put(podUid, containers);
    }
    MemoryAssignments after = new MemoryAssignments(nodes, left);
    for (MemoryBlock block : had) {
      after = after.giveBack(block);
    }
    return after;
  }

  /** What a pod had is free. */
  public MemoryAssignments without(String podUid) {
    return only(pod -> !pod.equals(podUid));
  }

  /** What other pods have is free. */
  public MemoryAssignments retain(Collection<String> podUids) {
    return only(podUids::contains);
  }

  private MemoryAssignments only(Predicate<String> isKept) {
    MemoryAssignments after = this;
    for (String pod : blocks.keySet()) {
      if (!isKept.test(pod)) {
        for (String container : of(pod).keySet()) {
          after = after.without(pod, container);
        }
      }
    }
    return after;
  }
}
