package dev.berth.policy.pressure;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pod and what it uses, as far as evictions are decided by it.
 *
 * @param priority 0 if it has none
 * @param isCritical whether it is never evicted: a static pod, a mirror pod, or one of a system
 *     priority
 * @param requests of the whole pod
 * @param podRequests those that the pod itself asks for, beside its containers
 * @param usage nothing if it is not known
 */
public record PodConsumption(
    String name,
    long priority,
    boolean isCritical,
    long terminationGraceSeconds,
    ResourceList requests,
    ResourceList podRequests,
    List<Container> containers,
    List<EmptyDir> emptyDirs,
    Optional<Quantity> storageLimit,
    Optional<Usage> usage) {

  /** The least priority of pods that the cluster cannot do without. */
  public static final long SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

  public PodConsumption {
    containers = List.copyOf(containers);
    emptyDirs = List.copyOf(emptyDirs);
  }

  /** A container, or an init container, with what it asks for and how much storage it may use. */
  public record Container(String name, ResourceList requests, Optional<Quantity> storageLimit) {}

  /** A volume that may not grow beyond a limit. */
  public record EmptyDir(String name, Quantity sizeLimit) {}

  /**
   * What a pod uses.
   *
   * @param volumes local ones, by name
   */
  public record Usage(
      long memoryBytes,
      long processes,
      List<OfContainer> containers,
      Map<String, OfVolume> volumes) {
    public Usage {
      containers = List.copyOf(containers);
      volumes = new TreeMap<>(volumes);
    }

    /** All that it has written: containers, logs and volumes. */
    long storageBytes() {
      return containers.stream().mapToLong(OfContainer::storageBytes).sum()
          + volumes.values().stream().mapToLong(OfVolume::bytes).sum();
    }
  }

  public record OfContainer(
      String name, long memoryBytes, long rootBytes, long rootInodes, long logBytes) {
    long storageBytes() {
      return rootBytes + logBytes;
    }
  }

  /**
   * What a volume takes.
   *
   * @param isEmptyDir whether it goes with its pod
   */
  public record OfVolume(long bytes, long inodes, boolean isEmptyDir) {}

  static Quantity bytes(long amount) {
    return Quantity.of(amount, QuantityFormat.BINARY_SI);
  }
}
