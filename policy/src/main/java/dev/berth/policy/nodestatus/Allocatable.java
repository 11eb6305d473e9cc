package dev.berth.policy.nodestatus;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pressure.Signal;
import dev.berth.policy.pressure.Threshold;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What pods may use of a node: what there is, without
 *
 * <ul>
 *   <li>what is reserved for the system and for Kubernetes,
 *   <li>what hard eviction thresholds keep free of memory and of the node's file system,
 *   <li>huge pages, of memory, which nobody can use for anything else.
 * </ul>
 *
 * Nothing is below zero.
 */
public final class Allocatable {
  private static final String HUGE_PAGES = "hugepages-";

  private Allocatable() {}

  public static ResourceList of(
      ResourceList capacity,
      ResourceList systemReserved,
      ResourceList kubeReserved,
      List<Threshold> thresholds) {
    ResourceList reserved = systemReserved.plus(kubeReserved).plus(keptFree(capacity, thresholds));
    ResourceList allocatable = ResourceList.EMPTY;
    for (Map.Entry<String, Quantity> each : capacity.amounts().entrySet()) {
      allocatable =
          allocatable.with(each.getKey(), difference(each.getValue(), reserved.get(each.getKey())));
    }
    for (Map.Entry<String, Quantity> each : capacity.amounts().entrySet()) {
      if (each.getKey().startsWith(HUGE_PAGES)) {
        allocatable =
            allocatable.with(
                ResourceList.MEMORY,
                difference(allocatable.get(ResourceList.MEMORY), each.getValue()));
      }
    }
    return allocatable;
  }

  /** Which resource more is kept back of than there is; empty if all of it can be. */
  public static Optional<String> overcommitment(
      ResourceList capacity,
      ResourceList systemReserved,
      ResourceList kubeReserved,
      List<Threshold> thresholds) {
    ResourceList reserved = systemReserved.plus(kubeReserved).plus(keptFree(capacity, thresholds));
    return capacity.amounts().entrySet().stream()
        .filter(each -> reserved.get(each.getKey()).compareTo(each.getValue()) > 0)
        .map(each ->
            "Resource \"%s\" has a reservation of %s but capacity of %s. Expected capacity >= reservation."
                .formatted(each.getKey(), reserved.get(each.getKey()), each.getValue()))
        .findFirst();
  }

  private static ResourceList keptFree(ResourceList capacity, List<Threshold> thresholds) {
    ResourceList kept = ResourceList.EMPTY;
    for (Threshold each : thresholds) {
      boolean counts =
          each.signal() == Signal.MEMORY_AVAILABLE || each.signal() == Signal.NODE_FS_AVAILABLE;
      if (each.isHard() && counts) {
        String resource = each.signal().resource();
        kept = kept.with(resource, each.value().of(capacity.get(resource)));
      }
    }
    return kept;
  }

  private static Quantity difference(Quantity amount, Quantity reserved) {
    if (reserved.isZero()) {
      return amount;
    }
    Quantity left = amount.minus(reserved);
    return left.signum() < 0 ? Quantity.of(0, amount.format()) : left;
  }
}
