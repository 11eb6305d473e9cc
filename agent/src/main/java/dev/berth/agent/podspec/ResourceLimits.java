package dev.berth.agent.podspec;

import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.HugePages;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.Placement;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.pod.ResourceNames;
import dev.berth.policy.podrun.PodAdmission;
import dev.berth.policy.swap.SwapRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What cgroups may use, from what is requested and limited.
 *
 * <ul>
 *   <li>Weight: 1024 for each processor requested (or limited, if none is requested), 2 at least.
 *   <li>Processor time: what is limited, 1 ms of each period at least.
 *   <li>A container that has processors for itself may use all of their time, and so may its pod.
 *   <li>Memory: what is limited, and as much swap beside it as {@link SwapRules} gives.
 *   <li>Huge pages: what is limited of each size, and none of the others.
 *   <li>A pod is limited in what it limits as a whole, or all of its containers are limited in. A
 *       container without a limit of its own has that of its pod as a whole.
 *   <li>Who is killed first when the machine has no memory: BestEffort, then Burstable by how
 *       little of the memory it requested, then Guaranteed.
 * </ul>
 */
public final class ResourceLimits {
  private static final long SHARES_PER_CPU = 1024;
  private static final long LEAST_SHARES = 2;
  private static final long MOST_SHARES = 262_144;
  private static final long MILLIS_PER_CPU = 1000;
  private static final int GUARANTEED_SCORE = -997;
  private static final int BEST_EFFORT_SCORE = 1000;
  private static final long NODE_CRITICAL = 2_000_001_000L;

  private final PodView pod;
  private final boolean isCritical;
  private final QosClass qos;
  private final long memoryCapacity;
  private final SpecSettings settings;
  private final Placement.OfPod placement;

  /**
   * @param node as the server shows it; empty if it is not known
   * @param placement which processors and memory its containers may use
   */
  public ResourceLimits(
      JsonObject pod, JsonObject node, SpecSettings settings, Placement.OfPod placement) {
    this.placement = placement;
    this.pod = PodView.read(pod);
    this.isCritical = PodAdmission.isCritical(pod);
    this.qos = Qos.of(this.pod.spec());
    this.memoryCapacity =
        ResourceList.read(node.object("status").object("capacity"))
            .get(ResourceList.MEMORY)
            .value();
    this.settings = settings;
  }

  /** Of a container. */
  public Limits of(JsonObject container) {
    ContainerView view = ContainerView.read(container);
    ResourceList requests = ResourceList.read(view.requests());
    ResourceList limits = limits(view);
    Placement place = placement.of(view.name());
    SwapRules.Share swap = settings.swap().of(qos, isCritical, view);
    Limits all = limits(requests, limits, !place.isExclusive(), swap, oomScore(view));
    return all.placed(place).killedAsAWhole(settings.killsWholeContainers());
  }

  private ResourceList limits(ContainerView container) {
    ResourceList limits = ResourceList.read(container.limits());
    ResourceList ofPod = ResourceList.read(pod.spec().limits());
    for (String resource : ofPod.amounts().keySet()) {
      if (limits.get(resource).isZero() && isOfMachine(resource)) {
        limits = limits.with(resource, ofPod.get(resource));
      }
    }
    return limits;
  }

  private static boolean isOfMachine(String resource) {
    return resource.equals(ResourceList.CPU)
        || resource.equals(ResourceList.MEMORY)
        || ResourceNames.isHugePages(resource);
  }

  /**
   * What a pod is limited to as a whole: by its own limits, or because all of its containers are
   * limited.
   */
  public static ResourceList ofWhole(PodSpecView pod) {
    ResourceList all = EffectiveResources.limits(pod);
    ResourceList limits = ResourceList.EMPTY;
    for (String resource : List.of(ResourceList.CPU, ResourceList.MEMORY)) {
      boolean isLimited =
          pod.limits().has(resource)
              || pod.containers().stream().allMatch(c -> c.limits().has(resource));
      if (isLimited) {
        limits = limits.with(resource, all.get(resource));
      }
    }
    return limits;
  }

  /** Of a pod as a whole. */
  public Limits ofPod() {
    PodSpecView spec = pod.spec();
    ResourceList limits = ofWhole(spec);
    return limits(
            EffectiveResources.requests(spec),
            limits,
            !placement.hasExclusiveCpus(),
            settings.swap().ofPod(),
            switch (qos) {
              case GUARANTEED -> GUARANTEED_SCORE;
              case BURSTABLE -> 0;
              case BEST_EFFORT -> BEST_EFFORT_SCORE;
            })
        .withHugePages(HugePages.of(EffectiveResources.limits(spec)));
  }

  /** Of a pod as a whole, for a runtime that has to know what to run it in. */
  SandboxSpec.Size sandbox() {
    PodSpecView spec = pod.spec();
    PodSpecView inside = spec.withoutOverhead();
    ResourceList overhead = ResourceList.read(spec.overhead());
    return new SandboxSpec.Size(
        size(EffectiveResources.requests(inside), EffectiveResources.limits(inside)),
        spec.overhead().isEmpty() ? Optional.empty() : Optional.of(size(overhead, overhead)));
  }

  private Limits size(ResourceList requests, ResourceList limits) {
    return limits(requests, limits, !placement.hasExclusiveCpus(), SwapRules.Share.NOTHING, 0);
  }

  private Limits limits(
      ResourceList requests,
      ResourceList limits,
      boolean limitsCpu,
      SwapRules.Share swap,
      int oomScore) {
    Quantity cpu = limits.get(ResourceList.CPU);
    Quantity weight = requests.has(ResourceList.CPU) ? requests.get(ResourceList.CPU) : cpu;
    Quantity memory = limits.get(ResourceList.MEMORY);
    boolean hasQuota = limitsCpu && cpu.signum() > 0;
    boolean hasMemory = memory.signum() > 0;
    return new Limits(
        Math.clamp(
            weight.milliValue() * SHARES_PER_CPU / MILLIS_PER_CPU, LEAST_SHARES, MOST_SHARES),
        hasQuota
            ? settings.cpuPeriod().map(period -> CpuQuota.ofMillis(cpu.milliValue(), period))
            : Optional.empty(),
        hasMemory ? OptionalLong.of(memory.value()) : OptionalLong.empty(),
        swap.bytes(),
        settings.podPidsLimit(),
        oomScore,
        "",
        "",
        swap.isSwappable(),
        HugePages.of(limits),
        false);
  }

  private int oomScore(ContainerView container) {
    if (pod.spec().priority() >= NODE_CRITICAL || qos == QosClass.GUARANTEED) {
      return GUARANTEED_SCORE;
    }
    if (qos == QosClass.BEST_EFFORT || memoryCapacity <= 0) {
      return BEST_EFFORT_SCORE;
    }
    long unclaimed = unclaimedMemory();
    long score = score(memory(container) + unclaimed);
    if (container.alwaysRestarts() && pod.spec().initContainers().contains(container)) {
      // A sidecar is not killed before the containers that rely on it.
      long least = pod.spec().containers().stream().mapToLong(this::memory).min().orElse(0);
      score = Math.min(score, score(least + unclaimed));
    }
    return Math.clamp(score, BEST_EFFORT_SCORE + GUARANTEED_SCORE, BEST_EFFORT_SCORE - 1);
  }

  private long score(long memory) {
    return BEST_EFFORT_SCORE - BEST_EFFORT_SCORE * memory / memoryCapacity;
  }

  private long memory(ContainerView container) {
    return ResourceList.read(container.requests()).get(ResourceList.MEMORY).value();
  }

  /** Each container's part of what the pod as a whole requests beyond its containers. */
  private long unclaimedMemory() {
    List<ContainerView> containers = pod.spec().containers();
    ResourceList whole = ResourceList.read(pod.spec().requests());
    if (!whole.has(ResourceList.MEMORY) || containers.isEmpty()) {
      return 0;
    }
    long claimed = containers.stream().mapToLong(this::memory).sum();
    return Math.max(0, whole.get(ResourceList.MEMORY).value() - claimed) / containers.size();
  }
}
