package dev.berth.policy.cpumanager;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.cpumanager.CpuOptions.Option;
import dev.berth.policy.cpumanager.CpuTopology.Level;
import dev.berth.policy.pod.PodLevelResources;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.PolicyOptionException;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The policy {@code static} of the CPU manager:
 *
 * <ul>
 *   <li>A container of a Guaranteed pod that asks for whole processors has them for itself.
 *   <li>All others share the rest, which shrinks and grows with that.
 *   <li>Reserved processors are never given away: they are shared, or with {@code
 *       strict-cpu-reservation} nobody's.
 *   <li>A container takes over the processors of init containers that have ended before it starts.
 * </ul>
 */
public final class StaticCpus {
  private static final int MILLIS = 1000;

  private final CpuTopology machine;
  private final CpuSet reserved;
  private final CpuSet reservedCores;
  private final CpuOptions options;

  private StaticCpus(CpuTopology machine, CpuSet reserved, CpuOptions options) {
    this.machine = machine;
    this.reserved = reserved;
    this.options = options;
    this.reservedCores = machine.in(Level.CORE, machine.only(reserved).parts(Level.CORE));
  }

  /**
   * The policy on a machine.
   *
   * @param amount of processors that are reserved for the system and for Kubernetes
   * @param named which those are; empty for the first ones of the machine
   * @throws PolicyOptionException if so many cannot be reserved
   */
  public static StaticCpus of(
      CpuTopology machine, Quantity amount, CpuSet named, CpuOptions options) {
    if (amount.signum() <= 0) {
      throw new PolicyOptionException(
          "[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be"
              + " greater than zero: give --kube-reserved=cpu=500m, or --reserved-cpus=0");
    }
    int count = (int) ((amount.milliValue() + MILLIS - 1) / MILLIS);
    CpuSet reserved =
        named.isEmpty() ? take(machine, options, machine.all(), count).orElse(CpuSet.EMPTY) : named;
    if (reserved.size() != count) {
      throw new PolicyOptionException(
          ("new static policy error: [cpumanager] unable to reserve the required amount of CPUs"
                  + " (size of %s did not equal %d)")
              .formatted(reserved, count));
    }
    for (int cpu : reserved.minus(machine.all()).list()) {
      throw new PolicyOptionException(
          ("new static policy error: [cpumanager] unable to build the reserved physical CPUs from"
                  + " the reserved set: unknown CPU ID: %d")
              .formatted(cpu));
    }
    return new StaticCpus(machine, reserved, options);
  }

  public CpuTopology machine() {
    return machine;
  }

  public CpuOptions options() {
    return options;
  }

  /** All that may ever be given away. */
  public CpuSet allocatable() {
    return machine.all().minus(reserved);
  }

  /** What may be given away now. */
  public CpuSet available(CpuAssignments assignments) {
    return assignments.shared().minus(reserved);
  }

  private CpuSet usable() {
    return options.has(Option.STRICT_RESERVATION) ? machine.all().minus(reserved) : machine.all();
  }

  /** What nobody has been given anything of. */
  public CpuAssignments initial() {
    return new CpuAssignments(usable(), CpuAssignments.NONE.exclusive());
  }

  /**
   * Why what was written down earlier does not fit this machine or this policy; empty if it does.
   */
  public Optional<String> problem(CpuAssignments known) {
    CpuSet shared = known.shared();
    if (shared.isEmpty() && known.exclusive().isEmpty()) {
      return Optional.empty();
    }
    // With a strict reservation, pods may have all that is not reserved.
    if (shared.isEmpty() && !options.has(Option.STRICT_RESERVATION)) {
      return Optional.of("default cpuset cannot be empty");
    }
    CpuSet both = reserved.intersection(shared);
    if (options.has(Option.STRICT_RESERVATION) && !both.isEmpty()) {
      return Optional.of(
          "some of strictly reserved cpus: \"%s\" are present in defaultCpuSet: \"%s\""
              .formatted(both, shared));
    }
    if (!options.has(Option.STRICT_RESERVATION) && !both.equals(reserved)) {
      return Optional.of(
          "not all reserved cpus: \"%s\" are present in defaultCpuSet: \"%s\""
              .formatted(reserved, shared));
    }
    for (Map.Entry<String, ? extends Map<String, CpuSet>> pod : known.exclusive().entrySet()) {
      for (Map.Entry<String, CpuSet> container : pod.getValue().entrySet()) {
        if (!shared.intersection(container.getValue()).isEmpty()) {
          return Optional.of(
              "pod: %s, container: %s cpuset: \"%s\" overlaps with default cpuset \"%s\""
                  .formatted(pod.getKey(), container.getKey(), container.getValue(), shared));
        }
      }
    }
    CpuSet all = shared.union(known.allExclusive());
    return all.equals(usable())
        ? Optional.empty()
        : Optional.of(
            "current set of available CPUs \"%s\" doesn't match with CPUs in state \"%s\""
                .formatted(usable(), all));
  }

  /** How many processors of its own a container has a right to. */
  public static int exclusiveCpus(PodSpecView pod, ContainerView container) {
    if (Qos.of(pod) != QosClass.GUARANTEED || PodLevelResources.areSet(pod)) {
      return 0;
    }
    Quantity asked = ResourceList.read(container.requests()).get(ResourceList.CPU);
    return asked.value() * MILLIS == asked.milliValue() ? (int) asked.value() : 0;
  }

  /** How many a pod needs at once: its init containers run one by one, sidecars beside them. */
  private static int exclusiveCpus(PodSpecView pod) {
    int most = 0;
    int sidecars = 0;
    for (ContainerView container : pod.initContainers()) {
      int own = exclusiveCpus(pod, container);
      if (container.alwaysRestarts()) {
        sidecars += own;
      } else {
        most = Math.max(most, sidecars + own);
      }
    }
    int running = pod.containers().stream().mapToInt(each -> exclusiveCpus(pod, each)).sum();
    return Math.max(most, running + sidecars);
  }

  /** Where the processors of a container can be had from. */
  public Hints hints(
      CpuAssignments assignments, String podUid, PodSpecView pod, ContainerView container) {
    int asked = exclusiveCpus(pod, container);
    if (asked == 0) {
      return Hints.NONE;
    }
    Optional<CpuSet> has = assignments.find(podUid, container.name());
    if (has.isPresent()) {
      return Hints.of(
          ResourceList.CPU,
          has.get().size() == asked ? hints(has.get(), CpuSet.EMPTY, asked) : List.of());
    }
    return Hints.of(
        ResourceList.CPU,
        hints(available(assignments), reusable(assignments, podUid, pod, container), asked));
  }

  /** Where the processors of a pod can be had from. */
  public Hints podHints(CpuAssignments assignments, String podUid, PodSpecView pod) {
    int asked = exclusiveCpus(pod);
    if (asked == 0) {
      return Hints.NONE;
    }
    CpuSet assigned = CpuSet.EMPTY;
    for (ContainerView container : inOrder(pod)) {
      Optional<CpuSet> has = assignments.find(podUid, container.name());
      if (has.isPresent() && has.get().size() != exclusiveCpus(pod, container)) {
        return Hints.of(ResourceList.CPU, List.of());
      }
      assigned = assigned.union(has.orElse(CpuSet.EMPTY));
    }
    return Hints.of(
        ResourceList.CPU,
        assigned.size() == asked
            ? hints(assigned, CpuSet.EMPTY, asked)
            : hints(available(assignments), assigned, asked));
  }

  private static List<ContainerView> inOrder(PodSpecView pod) {
    return Stream.concat(pod.initContainers().stream(), pod.containers().stream()).toList();
  }

  /** What the containers before one pass on to it. */
  private static CpuSet reusable(
      CpuAssignments assignments, String podUid, PodSpecView pod, ContainerView container) {
    CpuSet reusable = CpuSet.EMPTY;
    for (ContainerView each : pod.initContainers()) {
      if (each.name().equals(container.name())) {
        return reusable;
      }
      CpuSet had = assignments.find(podUid, each.name()).orElse(CpuSet.EMPTY);
      reusable = each.alwaysRestarts() ? reusable.minus(had) : reusable.union(had);
    }
    for (ContainerView each : pod.containers()) {
      if (each.name().equals(container.name())) {
        return reusable;
      }
      reusable = reusable.minus(assignments.find(podUid, each.name()).orElse(CpuSet.EMPTY));
    }
    return reusable;
  }

  /** A set of nodes is preferred if no machine of this kind could do with fewer. */
  private List<TopologyHint> hints(CpuSet available, CpuSet reusable, int asked) {
    List<Integer> nodes = machine.numaNodes();
    int[] fewest = {nodes.size()};
    List<NumaMask> possible = new ArrayList<>();
    NumaMask.forEachSubset(
        nodes,
        mask -> {
          CpuSet inMask = machine.in(Level.NUMA_NODE, mask.nodes());
          if (inMask.size() >= asked) {
            fewest[0] = Math.min(fewest[0], mask.count());
          }
          boolean holdsReusable = reusable.minus(inMask).isEmpty();
          if (holdsReusable && reusable.size() + available.intersection(inMask).size() >= asked) {
            possible.add(mask);
          }
        });
    return TopologyHint.all(
        possible,
        mask ->
            mask.count() == fewest[0]
                || (options.has(Option.ALIGNS_BY_SOCKET) && isOnFewSockets(mask, fewest[0])));
  }

  private boolean isOnFewSockets(NumaMask mask, int fewestNodes) {
    int nodesPerSocket = machine.count(Level.NUMA_NODE) / machine.count(Level.SOCKET);
    return nodesPerSocket > 0
        && sockets(mask).size() == (fewestNodes + nodesPerSocket - 1) / nodesPerSocket;
  }

  private List<Integer> sockets(NumaMask mask) {
    return machine.only(machine.in(Level.NUMA_NODE, mask.nodes())).parts(Level.SOCKET);
  }

  /**
   * Gives a container its processors.
   *
   * @param affinity the nodes that they are to be from, as far as these have so many
   */
  public CpuAllocation allocate(
      CpuAssignments assignments,
      String podUid,
      PodSpecView pod,
      ContainerView container,
      Optional<NumaMask> affinity) {
    int asked = exclusiveCpus(pod, container);
    if (asked == 0) {
      return new CpuAllocation.Shared();
    }
    Optional<CpuSet> has = assignments.find(podUid, container.name());
    if (has.isPresent()) {
      return new CpuAllocation.Kept(has.get());
    }
    Optional<AdmissionRejection> misaligned = misaligned(assignments, asked);
    if (misaligned.isPresent()) {
      return new CpuAllocation.Refused(misaligned.get());
    }
    CpuSet allocatable =
        available(assignments).union(reusable(assignments, podUid, pod, container));
    CpuSet aligned =
        affinity.map(mask -> aligned(mask).intersection(allocatable)).orElse(CpuSet.EMPTY);
    CpuSet first =
        take(machine, options, aligned, Math.min(asked, aligned.size())).orElse(CpuSet.EMPTY);
    CpuSet others = allocatable.minus(first);
    return take(machine, options, others, asked - first.size())
        .map(first::union)
        .<CpuAllocation>map(
            cpus -> new CpuAllocation.Given(cpus, assignments.with(podUid, container.name(), cpus)))
        .orElseGet(() ->
            new CpuAllocation.Refused(
                AdmissionRejection.unexpected(
                    "not enough cpus available to satisfy request: requested=%d, available=%d"
                        .formatted(asked - first.size(), others.size()))));
  }

  private CpuSet aligned(NumaMask mask) {
    return options.has(Option.ALIGNS_BY_SOCKET)
        ? machine.in(Level.SOCKET, sockets(mask))
        : machine.in(Level.NUMA_NODE, mask.nodes());
  }

  private Optional<AdmissionRejection> misaligned(CpuAssignments assignments, int asked) {
    if (!options.has(Option.FULL_CORES)) {
      return Optional.empty();
    }
    int perCore = machine.cpusPer(Level.CORE);
    if (asked % perCore != 0) {
      return Optional.of(
          new AdmissionRejection(
              "SMTAlignmentError",
              "SMT Alignment Error: requested %d cpus not multiple cpus per core = %d"
                  .formatted(asked, perCore)));
    }
    int free = assignments.shared().minus(reservedCores).size();
    return asked > free
        ? Optional.of(
            new AdmissionRejection(
                "SMTAlignmentError",
                ("SMT Alignment Error: not enough free physical CPUs: available physical CPUs = %d,"
                        + " requested CPUs = %d, CPUs per core = %d")
                    .formatted(free, asked, perCore)))
        : Optional.empty();
  }

  private static Optional<CpuSet> take(
      CpuTopology machine, CpuOptions options, CpuSet available, int count) {
    boolean spreads = options.has(Option.DISTRIBUTES_OVER_CORES);
    if (options.has(Option.DISTRIBUTES_OVER_NUMA)) {
      int group = options.has(Option.FULL_CORES) ? machine.cpusPer(Level.CORE) : 1;
      return CpuDistribution.distributed(machine, available, count, group, spreads);
    }
    return CpuChoice.packed(
        machine, available, count, spreads, options.has(Option.ALIGNS_BY_CACHE));
  }
}
