package dev.berth.agent.topology;

import dev.berth.agent.device.Answer;
import dev.berth.agent.device.CheckpointWriter;
import dev.berth.agent.device.DeviceManager;
import dev.berth.agent.device.PodDevices;
import dev.berth.agent.device.PodResources;
import dev.berth.agent.device.PodResourcesLister.OwnedMemory;
import dev.berth.agent.runtime.Placement;
import dev.berth.metrics.Metrics;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cpumanager.CpuAllocation;
import dev.berth.policy.cpumanager.CpuAssignments;
import dev.berth.policy.cpumanager.CpuSet;
import dev.berth.policy.cpumanager.StaticCpus;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.memorymanager.MemoryAllocation;
import dev.berth.policy.memorymanager.MemoryAssignments;
import dev.berth.policy.memorymanager.MemoryBlock;
import dev.berth.policy.memorymanager.StaticMemory;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.time.Time;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Gives pods devices, processors and memory while they are let in, from NUMA nodes that are found
 * by asking all of them ({@link TopologyAdmission}).
 *
 * <p>Threads: all of it lives on the loop of the devices; others read {@link ManagerStates}, which
 * are values. Pods that need something are let in one after the other where a policy looks at all
 * resources together, so that nobody takes in between what was just found to be free.
 */
public final class ResourceManagers implements PodDevices, PodResources.Managers {

  /**
   * What it is made of.
   *
   * @param root where its state files are
   * @param placementsChanged told that containers may use other processors than before
   */
  public record Parts(
      Time time,
      Metrics metrics,
      Path root,
      ManagerPlan plan,
      DeviceManager devices,
      Runnable placementsChanged) {}

  private final Parts parts;
  private final ManagerPlan plan;
  private final DeviceManager devices;
  private final ManagerMetrics metrics;
  private final CheckpointWriter<ManagerStates> checkpoint;
  private final Deque<TopologyAdmission> waiting = new ArrayDeque<>();
  private volatile ManagerStates states;

  private ResourceManagers(Parts parts) {
    this.parts = parts;
    plan = parts.plan();
    devices = parts.devices();
    states = ManagerStates.read(parts.root(), plan);
    metrics = new ManagerMetrics(parts.metrics(), plan, () -> states);
    checkpoint =
        new CheckpointWriter<>(
            devices.loop(),
            parts.root(),
            each -> each.write(parts.root(), plan),
            () -> states,
            new ManagerStates(CpuAssignments.NONE, MemoryAssignments.NONE));
  }

  /**
   * Reads what is known from before.
   *
   * @throws dev.berth.model.config.ConfigException if that does not fit the policies or the machine
   */
  public static ResourceManagers start(Parts parts) {
    ResourceManagers managers = new ResourceManagers(parts);
    if (!parts.plan().isIdle()) {
      parts.devices().later(managers.checkpoint::save);
    }
    return managers;
  }

  /**
   * Makes sure that what is known from before fits the policies and the machine.
   *
   * @throws dev.berth.model.config.ConfigException if it does not
   */
  public static void check(Path root, ManagerPlan plan) {
    ManagerStates.read(root, plan);
  }

  ManagerPlan plan() {
    return plan;
  }

  DeviceManager devices() {
    return devices;
  }

  ManagerMetrics metrics() {
    return metrics;
  }

  Time time() {
    return parts.time();
  }

  // Letting in.

  @Override
  public boolean wants(JsonObject pod) {
    return devices.wants(pod)
        || plan.settings().topologyPolicy() != TopologyPolicy.NONE
        || isPinned(pod);
  }

  /** Whether a pod has something of its own, but for devices. */
  private boolean isPinned(JsonObject pod) {
    if (plan.cpus().isEmpty() && plan.memory().isEmpty()) {
      return false;
    }
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    return (plan.memory().isPresent() && StaticMemory.pins(spec))
        || (plan.cpus().isPresent()
            && Stream.concat(spec.initContainers().stream(), spec.containers().stream())
                .anyMatch(container -> StaticCpus.exclusiveCpus(spec, container) > 0));
  }

  @Override
  public void allocate(JsonObject pod, Consumer<Optional<AdmissionRejection>> then) {
    if (plan.isIdle()) {
      devices.allocate(pod, then);
      return;
    }
    devices.later(() -> {
      boolean isAlone =
          plan.settings().topologyPolicy() == TopologyPolicy.NONE
              || !(devices.wants(pod) || isPinned(pod));
      TopologyAdmission admission = new TopologyAdmission(this, pod, then);
      if (isAlone) {
        admission.run(() -> {});
      } else {
        waiting.add(admission);
        if (waiting.size() == 1) {
          admission.run(this::next);
        }
      }
    });
  }

  private void next() {
    waiting.remove();
    TopologyAdmission first = waiting.peek();
    if (first != null) {
      first.run(this::next);
    }
  }

  boolean hasSome(String podUid) {
    return states.hasPod(podUid) || devices.hasDevices(podUid);
  }

  List<Hints> hints(JsonObject pod, PodSpecView spec, ContainerView container) {
    String uid = Metadata.of(pod).uid();
    return List.of(
        devices.topology(pod, plan.nodes().numbers()).of(container.name()),
        plan.cpus()
            .map(policy -> policy.hints(states.cpus(), uid, spec, container))
            .orElse(Hints.NONE),
        plan.memory()
            .map(policy -> policy.hints(states.memory(), uid, spec, container))
            .orElse(Hints.NONE));
  }

  List<Hints> podHints(JsonObject pod, PodSpecView spec) {
    String uid = Metadata.of(pod).uid();
    return List.of(
        devices.topology(pod, plan.nodes().numbers()).ofPod(),
        plan.cpus().map(policy -> policy.podHints(states.cpus(), uid, spec)).orElse(Hints.NONE),
        plan.memory()
            .map(policy -> policy.podHints(states.memory(), uid, spec))
            .orElse(Hints.NONE));
  }

  /** Gives a container processors of its own. On the loop. */
  Optional<AdmissionRejection> giveCpus(
      String podUid, PodSpecView pod, ContainerView container, TopologyHint hint) {
    if (plan.cpus().isEmpty()) {
      return Optional.empty();
    }
    StaticCpus policy = plan.cpus().get();
    return switch (policy.allocate(states.cpus(), podUid, pod, container, hint.affinity())) {
      case CpuAllocation.Shared _, CpuAllocation.Kept _ -> Optional.empty();
      case CpuAllocation.Given(CpuSet cpus, CpuAssignments assignments) -> {
        become(new ManagerStates(assignments, states.memory()));
        metrics.cpusGiven(policy, cpus);
        yield Optional.empty();
      }
      case CpuAllocation.Refused(AdmissionRejection why) -> {
        metrics.cpusRefused(policy);
        yield Optional.of(why);
      }
    };
  }

  /** Gives a container memory of certain nodes. On the loop. */
  Optional<AdmissionRejection> giveMemory(
      String podUid, PodSpecView pod, ContainerView container, TopologyHint hint) {
    if (plan.memory().isEmpty()) {
      return Optional.empty();
    }
    return switch (plan.memory().get().allocate(states.memory(), podUid, pod, container, hint)) {
      case MemoryAllocation.Nothing _ -> Optional.empty();
      case MemoryAllocation.Given(MemoryAssignments assignments) -> {
        become(new ManagerStates(states.cpus(), assignments));
        metrics.memoryGiven(assignments.find(podUid, container.name()).size());
        yield Optional.empty();
      }
      case MemoryAllocation.Refused(AdmissionRejection why) -> {
        metrics.memoryRefused();
        yield Optional.of(why);
      }
    };
  }

  /** Has what was given written; told why it could not be. On the loop. */
  void save(Consumer<Optional<String>> then) {
    if (plan.cpus().isEmpty() && plan.memory().isEmpty()) {
      then.accept(Optional.empty());
    } else {
      checkpoint.save(then);
    }
  }

  /** Takes back all that a pod was given. On the loop. */
  void takeBack(String podUid) {
    devices.takeBack(podUid);
    forget(podUid);
  }

  private void forget(String podUid) {
    if (states.hasPod(podUid)) {
      become(new ManagerStates(states.cpus().without(podUid), states.memory().without(podUid)));
      checkpoint.save();
    }
  }

  private void become(ManagerStates changed) {
    CpuSet before = states.cpus().shared();
    states = changed;
    if (!before.equals(changed.cpus().shared())) {
      parts.placementsChanged().run();
    }
  }

  // What pods have.

  @Override
  public Placement.OfPod placement(String podUid) {
    if (plan.cpus().isEmpty() && plan.memory().isEmpty()) {
      return Placement.OfPod.ANYWHERE;
    }
    return states.placement(podUid);
  }

  @Override
  public Optional<String> fixed(JsonObject pod, String resource) {
    boolean isGuaranteed = Qos.of(PodSpecView.read(pod.object("spec"))) == QosClass.GUARANTEED;
    String problem = "Resize is infeasible for Guaranteed Pods alongside %s Manager policy \"%s\"";
    if (isGuaranteed && plan.cpus().isPresent() && resource.equals(ResourceList.CPU)) {
      return Optional.of(problem.formatted("CPU", CpuStateFile.POLICY));
    }
    return isGuaranteed && plan.memory().isPresent() && resource.equals(ResourceList.MEMORY)
        ? Optional.of(problem.formatted("Memory", MemoryStateFile.POLICY))
        : Optional.empty();
  }

  @Override
  public List<Integer> ownedCpus(String podUid, String container) {
    return states.cpus().find(podUid, container).orElse(CpuSet.EMPTY).list();
  }

  @Override
  public List<OwnedMemory> ownedMemory(String podUid, String container) {
    return owned(states.memory().find(podUid, container));
  }

  @Override
  public List<Integer> allocatableCpus() {
    return plan.cpus().map(StaticCpus::allocatable).orElse(CpuSet.EMPTY).list();
  }

  @Override
  public List<OwnedMemory> allocatableMemory() {
    return owned(plan.memory().map(StaticMemory::allocatable).orElse(List.of()));
  }

  private static List<OwnedMemory> owned(List<MemoryBlock> blocks) {
    return blocks.stream()
        .map(block -> new OwnedMemory(block.type(), block.bytes(), block.nodes()))
        .toList();
  }

  /** A container that starts needs what ended before it no more. */
  @Override
  public void prepare(JsonObject pod, String container, Consumer<Answer<DeviceGrant>> then) {
    devices.prepare(pod, container, then);
    if (plan.memory().isPresent()) {
      devices.later(() -> releaseInitMemory(pod, container));
    }
  }

  private void releaseInitMemory(JsonObject pod, String name) {
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    String uid = Metadata.of(pod).uid();
    MemoryAssignments after = states.memory();
    Optional<ContainerView> container =
        Stream.concat(spec.initContainers().stream(), spec.containers().stream())
            .filter(each -> each.name().equals(name))
            .findFirst();
    if (container.isPresent()) {
      for (ContainerView init : StaticMemory.initBefore(spec, container.get()).toList()) {
        after = after.without(uid, init.name());
      }
    }
    if (!after.equals(states.memory())) {
      become(new ManagerStates(states.cpus(), after));
      checkpoint.save();
    }
  }

  @Override
  public void release(String podUid) {
    devices.release(podUid);
    if (states.hasPod(podUid)) {
      devices.later(() -> forget(podUid));
    }
  }

  @Override
  public void retain(Collection<String> podUids) {
    devices.retain(podUids);
    Set<String> kept = Set.copyOf(podUids);
    devices.later(() -> {
      ManagerStates left =
          new ManagerStates(states.cpus().retain(kept), states.memory().retain(kept));
      if (!left.equals(states)) {
        become(left);
        checkpoint.save();
      }
    });
  }

  @Override
  public JsonObject withAssigned(JsonObject node, String podUid) {
    return devices.withAssigned(node, podUid);
  }

  @Override
  public JsonArray health(String podUid, String container) {
    return devices.health(podUid, container);
  }
}
