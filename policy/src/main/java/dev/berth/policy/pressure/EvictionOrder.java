package dev.berth.policy.pressure;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which pods go first.
 *
 * <ol>
 *   <li>Of memory and disk: those that use more than they requested (and those of which nobody
 *       knows what they use) before the others, then by priority, the lowest first, then by how
 *       much more than their request they use.
 *   <li>Of processes: by priority, then by how many they have.
 * </ol>
 */
public final class EvictionOrder {
  private EvictionOrder() {}

  /**
   * The pods in the order in which they go.
   *
   * @param hasImageFilesystem whether what containers write is on another file system than logs and
   *     volumes
   */
  public static List<PodConsumption> of(
      List<PodConsumption> pods, Signal signal, boolean hasImageFilesystem) {
    Comparator<PodConsumption> unknownFirst = Comparator.comparing(pod -> pod.usage().isPresent());
    Comparator<PodConsumption> byPriority = Comparator.comparingLong(PodConsumption::priority);
    Comparator<PodConsumption> order;
    if (signal == Signal.PID_AVAILABLE) {
      order =
          byPriority
              .thenComparing(unknownFirst)
              .thenComparing(Comparator.comparingLong(EvictionOrder::processes).reversed());
    } else {
      Comparator<PodConsumption> exceedsFirst =
          Comparator.comparing(pod -> !exceeds(pod, signal, hasImageFilesystem));
      Comparator<PodConsumption> byExcess =
          Comparator.comparing(
              (PodConsumption pod) -> excess(pod, signal, hasImageFilesystem),
              Comparator.reverseOrder());
      order =
          unknownFirst
              .thenComparing(exceedsFirst)
              .thenComparing(byPriority)
              .thenComparing(byExcess);
    }
    List<PodConsumption> ordered = new ArrayList<>(pods);
    ordered.sort(order);
    return ordered;
  }

  private static long processes(PodConsumption pod) {
    return pod.usage().map(PodConsumption.Usage::processes).orElse(0L);
  }

  private static boolean exceeds(PodConsumption pod, Signal signal, boolean hasImageFilesystem) {
    return used(pod, signal, hasImageFilesystem).compareTo(pod.requests().get(signal.resource()))
        > 0;
  }

  /** Inodes cannot be requested; upstream takes the request of storage off them all the same. */
  private static Quantity excess(PodConsumption pod, Signal signal, boolean hasImageFilesystem) {
    String requested = signal.isMemory() ? ResourceList.MEMORY : ResourceList.EPHEMERAL_STORAGE;
    return used(pod, signal, hasImageFilesystem).minus(pod.requests().get(requested));
  }

  private static Quantity used(PodConsumption pod, Signal signal, boolean hasImageFilesystem) {
    if (pod.usage().isEmpty()) {
      return Quantity.ZERO;
    }
    PodConsumption.Usage usage = pod.usage().get();
    if (signal.isMemory()) {
      return PodConsumption.bytes(usage.memoryBytes());
    }
    boolean ofContainers = !hasImageFilesystem || !isOfNode(signal);
    boolean ofLogsAndVolumes = !hasImageFilesystem || isOfNode(signal);
    boolean inodes = signal.resource().equals(Signal.INODES);
    long amount = 0;
    for (PodConsumption.OfContainer container : usage.containers()) {
      if (ofContainers) {
        amount += inodes ? container.rootInodes() : container.rootBytes();
      }
      if (ofLogsAndVolumes && !inodes) {
        amount += container.logBytes();
      }
    }
    if (ofLogsAndVolumes) {
      for (PodConsumption.OfVolume volume : usage.volumes().values()) {
        amount += inodes ? volume.inodes() : volume.bytes();
      }
    }
    return Quantity.of(amount, signal.format());
  }

  private static boolean isOfNode(Signal signal) {
    return signal == Signal.NODE_FS_AVAILABLE || signal == Signal.NODE_FS_INODES_FREE;
  }
}
