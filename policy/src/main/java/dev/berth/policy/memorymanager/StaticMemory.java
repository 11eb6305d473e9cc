package dev.berth.policy.memorymanager;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.policy.pod.PodLevelResources;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.PolicyOptionException;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The policy {@code Static} of the memory manager: containers of Guaranteed pods have their memory
 * and huge pages from NUMA nodes that have enough of them left.
 *
 * <p>A node gives memory alone, or together with a fixed group of others, never both: otherwise
 * what a group has taken could leave less on a node than those were promised that have theirs from
 * it alone.
 */
public final class StaticMemory {

  /**
   * The memory of a NUMA node.
   *
   * @param hugePages bytes by the name of their resource
   */
  public record NodeMemory(long bytes, SortedMap<String, Long> hugePages) {
    public NodeMemory {
      hugePages = Collections.unmodifiableSortedMap(new TreeMap<>(hugePages));
    }
  }

  private final MemoryAssignments initial;

  private StaticMemory(MemoryAssignments initial) {
    this.initial = initial;
  }

  /**
   * The policy on a machine.
   *
   * @param whole what the node reserves of each resource in all
   * @throws PolicyOptionException if the reserved memory does not fit the machine
   */
  public static StaticMemory of(
      SortedMap<Integer, NodeMemory> machine, List<ReservedMemory> reserved, ResourceList whole) {
    SortedMap<Integer, SortedMap<String, Long>> systems =
        ReservedMemory.check(reserved, machine.keySet(), whole);
    SortedMap<Integer, NumaMemory> nodes = new TreeMap<>();
    machine.forEach((node, memory) -> {
      SortedMap<String, Long> system = systems.getOrDefault(node, new TreeMap<>());
      SortedMap<String, NumaMemory.Table> tables = new TreeMap<>();
      memory.hugePages.forEach((type, bytes) ->
          tables.put(type, NumaMemory.Table.unused(bytes, system.getOrDefault(type, 0L), 0)));
      long inPages = memory.hugePages.values().stream().mapToLong(Long::longValue).sum();
      tables.put(
          ResourceList.MEMORY,
          NumaMemory.Table.unused(
              memory.bytes, system.getOrDefault(ResourceList.MEMORY, 0L), inPages));
      nodes.put(node, new NumaMemory(0, tables, List.of(node)));
    });
    return new StaticMemory(new MemoryAssignments(nodes, new TreeMap<>()));
  }

  /** What nobody has been given anything of. */
  public MemoryAssignments initial() {
    return initial;
  }

  /** All that may ever be given away. */
  public List<MemoryBlock> allocatable() {
    List<MemoryBlock> blocks = new ArrayList<>();
    initial
        .nodes()
        .forEach((node, memory) ->
            memory
                .tables()
                .forEach((type, table) -> {
                  if (table.allocatable() != 0) {
                    blocks.add(new MemoryBlock(List.of(node), type, table.allocatable()));
                  }
                }));
    return blocks;
  }

  /** Why what was written down earlier does not fit this machine; empty if it does. */
  public Optional<String> problem(MemoryAssignments known) {
    return MemoryStateCheck.problem(known, initial);
  }

  static long free(MemoryAssignments memory, List<Integer> nodes, String type) {
    return tables(memory, nodes, type).mapToLong(NumaMemory.Table::free).sum();
  }

  static Stream<NumaMemory.Table> tables(
      MemoryAssignments memory, List<Integer> nodes, String type) {
    return nodes.stream()
        .flatMap(node -> Stream.ofNullable(memory.nodes().get(node)))
        .map(node -> node.table(type));
  }

  /** Whether a pod is given memory of certain nodes at all. */
  public static boolean pins(PodSpecView pod) {
    return Qos.of(pod) == QosClass.GUARANTEED && !PodLevelResources.areSet(pod);
  }

  private static SortedMap<String, Long> asked(ContainerView container) {
    SortedMap<String, Long> asked = new TreeMap<>();
    ResourceList.read(container.requests())
        .amounts()
        .forEach((resource, amount) -> {
          if (ReservedMemory.isMemory(resource)) {
            asked.put(resource, amount.value());
          }
        });
    return asked;
  }

  /** What a pod needs at once: its init containers run one by one, sidecars beside them. */
  private static SortedMap<String, Long> asked(PodSpecView pod) {
    Map<String, Long> most = new HashMap<>();
    Map<String, Long> sidecars = new HashMap<>();
    for (ContainerView container : pod.initContainers()) {
      asked(container)
          .forEach((type, bytes) -> {
            if (container.alwaysRestarts()) {
              sidecars.merge(type, bytes, Long::sum);
            } else {
              most.merge(type, sidecars.getOrDefault(type, 0L) + bytes, Math::max);
            }
          });
    }
    SortedMap<String, Long> asked = new TreeMap<>();
    pod.containers()
        .forEach(container ->
            asked(container).forEach((type, bytes) -> asked.merge(type, bytes, Long::sum)));
    asked.replaceAll((type, bytes) ->
        Math.max(bytes + sidecars.getOrDefault(type, 0L), most.getOrDefault(type, 0L)));
    return asked;
  }

  /** Where the memory of a container can be had from. */
  public Hints hints(
      MemoryAssignments assignments, String podUid, PodSpecView pod, ContainerView container) {
    if (!pins(pod)) {
      return Hints.NONE;
    }
    List<MemoryBlock> has = assignments.find(podUid, container.name());
    SortedMap<String, Long> asked = asked(container);
    return has.isEmpty()
        ? byType(possible(assignments, asked, reusable(assignments, podUid, pod, container)), asked)
        : kept(has, asked);
  }

  /** Where the memory of a pod can be had from. */
  public Hints podHints(MemoryAssignments assignments, String podUid, PodSpecView pod) {
    if (!pins(pod)) {
      return Hints.NONE;
    }
    SortedMap<String, Long> asked = asked(pod);
    return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
        .map(container -> assignments.find(podUid, container.name()))
        .filter(blocks -> !blocks.isEmpty())
        .findFirst()
        .map(blocks -> kept(blocks, asked))
        .orElseGet(() -> byType(possible(assignments, asked, List.of()), asked));
  }

  /** The same hints for what a container has; none if that is not what it asks for. */
  private static Hints kept(List<MemoryBlock> has, Map<String, Long> asked) {
    Map<String, Optional<List<TopologyHint>>> hints = new HashMap<>();
    for (MemoryBlock block : has) {
      if (has.size() != asked.size() || asked.getOrDefault(block.type(), -1L) != block.bytes()) {
        return Hints.NONE;
      }
      TopologyHint hint = TopologyHint.of(NumaMask.of(block.nodes()), true);
      hints.put(block.type(), Optional.of(List.of(hint)));
    }
    return new Hints(hints);
  }

  private static Hints byType(List<TopologyHint> possible, Map<String, Long> asked) {
    Map<String, Optional<List<TopologyHint>>> hints = new HashMap<>();
    if (!possible.isEmpty()) {
      asked.keySet().forEach(type -> hints.put(type, Optional.of(possible)));
    }
    return new Hints(hints);
  }

  private static long reusable(List<MemoryBlock> blocks, NumaMask mask, String type) {
    return blocks.stream()
        .filter(block -> block.type().equals(type) && NumaMask.of(block.nodes()).equals(mask))
        .mapToLong(MemoryBlock::bytes)
        .sum();
  }

  /** What init containers before one that will have ended by then have not passed on yet. */
  private static List<MemoryBlock> reusable(
      MemoryAssignments assignments, String podUid, PodSpecView pod, ContainerView container) {
    return initBefore(pod, container)
        .flatMap(each -> assignments.find(podUid, each.name()).stream())
        .toList();
  }

  /** Init containers that end before one starts. */
  public static Stream<ContainerView> initBefore(PodSpecView pod, ContainerView container) {
    return pod.initContainers().stream()
        .takeWhile(each -> !each.name().equals(container.name()))
        .filter(each -> !each.alwaysRestarts());
  }

  /** The sets of nodes that have what is asked for, of all types. */
  private List<TopologyHint> possible(
      MemoryAssignments assignments, Map<String, Long> asked, List<MemoryBlock> reusable) {
    List<Integer> numbers = List.copyOf(assignments.nodes().keySet());
    int[] fewest = {numbers.size()};
    List<NumaMask> possible = new ArrayList<>();
    NumaMask.forEachSubset(
        numbers,
        mask -> {
          List<Integer> nodes = mask.nodes();
          if (asked.entrySet().stream()
              .anyMatch(type -> allocatable(assignments, nodes, type.getKey()) < type.getValue())) {
            return;
          }
          fewest[0] = Math.min(fewest[0], mask.count());
          boolean fits =
              asked.entrySet().stream()
                  .allMatch(type ->
                      free(assignments, nodes, type.getKey())
                              + reusable(reusable, mask, type.getKey())
                          >= type.getValue());
          if (fits && !isMixed(assignments, mask, true)) {
            possible.add(mask);
          }
        });
    return TopologyHint.all(possible, mask -> mask.count() == fewest[0]);
  }

  private static long allocatable(MemoryAssignments memory, List<Integer> nodes, String type) {
    return tables(memory, nodes, type).mapToLong(NumaMemory.Table::allocatable).sum();
  }

  /**
   * Whether nodes would give memory alone as well as in a group, or in two groups.
   *
   * @param looksAtSingles whether a single node that is in a group counts, too
   */
  private static boolean isMixed(
      MemoryAssignments assignments, NumaMask mask, boolean looksAtSingles) {
    boolean isSingle = mask.count() == 1;
    return mask.nodes().stream()
        .flatMap(node -> Stream.ofNullable(assignments.nodes().get(node)))
        .anyMatch(node ->
            isSingle
                ? looksAtSingles && node.isGrouped()
                : node.assignments() > 0
                    && (!node.isGrouped() || !NumaMask.of(node.cells()).equals(mask)));
  }

  /**
   * Gives a container its memory.
   *
   * @param merged which nodes it is to be from
   */
  public MemoryAllocation allocate(
      MemoryAssignments assignments,
      String podUid,
      PodSpecView pod,
      ContainerView container,
      TopologyHint merged) {
    if (!pins(pod) || !assignments.find(podUid, container.name()).isEmpty()) {
      return new MemoryAllocation.Nothing();
    }
    SortedMap<String, Long> asked = asked(container);
    List<MemoryBlock> reusable = reusable(assignments, podUid, pod, container);
    List<TopologyHint> possible = possible(assignments, asked, reusable);
    TopologyHint hint = merged;
    if (hint.affinity().isEmpty()) {
      Optional<TopologyHint> best = best(possible);
      if (best.isEmpty()) {
        return refused(
            "failed to get the default NUMA affinity, no NUMA nodes with enough memory is"
                + " available");
      }
      if (!best.get().isPreferred() && hint.isPreferred()) {
        return refused("failed to find the default preferred hint");
      }
      hint = best.get();
    }
    NumaMask wanted = hint.affinity().orElseThrow();
    if (asked.entrySet().stream()
        .anyMatch(type -> free(assignments, wanted.nodes(), type.getKey()) < type.getValue())) {
      Optional<TopologyHint> extended =
          best(
              possible.stream()
                  .filter(each -> each.affinity().orElseThrow().hasAll(wanted))
                  .toList());
      if (extended.isEmpty()) {
        return refused("failed to find NUMA nodes to extend the current topology hint");
      }
      if (!extended.get().isPreferred() && hint.isPreferred()) {
        return refused("failed to find the extended preferred hint");
      }
      hint = extended.get();
    }
    NumaMask mask = hint.affinity().orElseThrow();
    return isMixed(assignments, mask, false)
        ? refused("preferred hint violates NUMA node allocation")
        : new MemoryAllocation.Given(given(assignments, podUid, pod, container, mask));
  }

  private static MemoryAllocation refused(String why) {
    return new MemoryAllocation.Refused(AdmissionRejection.unexpected("[memorymanager] " + why));
  }

  private static Optional<TopologyHint> best(List<TopologyHint> hints) {
    return hints.stream()
        .min(
            Comparator.comparing((TopologyHint hint) -> !hint.isPreferred())
                .thenComparing(hint -> hint.affinity().orElseThrow()));
  }

  /** What init containers pass on is not taken again: their own blocks shrink by it. */
  private static MemoryAssignments given(
      MemoryAssignments before,
      String podUid,
      PodSpecView pod,
      ContainerView container,
      NumaMask mask) {
    MemoryAssignments after = before;
    List<MemoryBlock> blocks = new ArrayList<>();
    List<MemoryBlock> reusable = reusable(before, podUid, pod, container);
    for (Map.Entry<String, Long> type : asked(container).entrySet()) {
      long bytes = type.getValue();
      blocks.add(new MemoryBlock(mask.nodes(), type.getKey(), bytes));
      long reused = Math.min(bytes, reusable(reusable, mask, type.getKey()));
      after = after.take(mask.nodes(), type.getKey(), bytes - reused);
    }
    after = after.with(podUid, container.name(), blocks);
    for (MemoryBlock block : blocks) {
      after = shrunk(after, podUid, pod, container, block);
    }
    return after;
  }

  private static MemoryAssignments shrunk(
      MemoryAssignments before,
      String podUid,
      PodSpecView pod,
      ContainerView container,
      MemoryBlock block) {
    MemoryAssignments after = before;
    long passedOn = block.bytes();
    for (ContainerView init : initBefore(pod, container).toList()) {
      List<MemoryBlock> changed = new ArrayList<>();
      for (MemoryBlock own : after.find(podUid, init.name())) {
        boolean isSame =
            own.type().equals(block.type())
                && NumaMask.of(own.nodes()).equals(NumaMask.of(block.nodes()));
        long given = isSame ? Math.min(passedOn, own.bytes()) : 0;
        changed.add(own.withBytes(own.bytes() - given));
        passedOn -= given;
      }
      if (!changed.isEmpty()) {
        after = after.with(podUid, init.name(), changed);
      }
    }
    return after;
  }
}
