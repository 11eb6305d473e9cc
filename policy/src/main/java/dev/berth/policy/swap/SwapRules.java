package dev.berth.policy.swap;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pod.QosClass;
import java.util.OptionalLong;

/**
 * How much the containers of a node may swap:
 *
 * <ul>
 *   <li>NoSwap: nothing.
 *   <li>LimitedSwap, cgroup v2: containers of Burstable pods get as much of the node's swap as they
 *       request of its memory; those that request no memory, or as much as their limit, nothing.
 *   <li>LimitedSwap, cgroup v1: the same containers have memory and swap, in any combination, up to
 *       their limit of memory, if they have one.
 *   <li>UnlimitedSwap: everything may be swapped, up to what the machine has.
 *   <li>Critical pods: nothing, in any case.
 * </ul>
 *
 * @param isVersion2 whether the machine has cgroups of version 2
 * @param memoryBytes what the machine has
 * @param swapBytes likewise
 */
public record SwapRules(
    SwapBehavior behavior, boolean isVersion2, long memoryBytes, long swapBytes) {
  /** For a node that does not swap. */
  public static final SwapRules NO_SWAP = new SwapRules(SwapBehavior.NO_SWAP, true, 0, 0);

  /**
   * What a cgroup may swap.
   *
   * @param bytes beside its memory; empty for no limit; with cgroup v1, memory and swap together
   *     are limited to its memory and this
   * @param isSwappable whether any of its memory is swapped
   */
  public record Share(OptionalLong bytes, boolean isSwappable) {
    public static final Share NOTHING = new Share(OptionalLong.of(0), false);
    static final Share EVERYTHING = new Share(OptionalLong.empty(), true);
  }

  /** What a container may swap. */
  public Share of(QosClass qos, boolean isCritical, ContainerView container) {
    return switch (behavior) {
      case NO_SWAP -> Share.NOTHING;
      case UNLIMITED_SWAP -> isCritical ? Share.NOTHING : Share.EVERYTHING;
      case LIMITED_SWAP ->
          qos == QosClass.BURSTABLE && !isCritical ? limited(container) : Share.NOTHING;
    };
  }

  private Share limited(ContainerView container) {
    Quantity request = ResourceList.read(container.requests()).get(ResourceList.MEMORY);
    Quantity limit = ResourceList.read(container.limits()).get(ResourceList.MEMORY);
    long asked = request.value();
    boolean asksForNothing = request.isZero() && limit.isZero();
    if (asksForNothing || request.compareTo(limit) == 0) {
      return Share.NOTHING;
    }
    if (!isVersion2) {
      return new Share(OptionalLong.of(0), true);
    }
    if (memoryBytes <= 0 || asked > memoryBytes) {
      return Share.NOTHING;
    }
    long share = (long) ((double) asked / memoryBytes * swapBytes);
    return new Share(OptionalLong.of(share), share > 0);
  }

  /** What a pod as a whole may swap: what its containers may, which limit themselves. */
  public Share ofPod() {
    return switch (behavior) {
      case NO_SWAP -> Share.NOTHING;
      case UNLIMITED_SWAP -> Share.EVERYTHING;
      case LIMITED_SWAP -> isVersion2 ? Share.EVERYTHING : new Share(OptionalLong.of(0), true);
    };
  }
}
