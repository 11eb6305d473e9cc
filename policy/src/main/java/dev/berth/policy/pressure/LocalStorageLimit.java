package dev.berth.policy.pressure;

import dev.berth.model.quantity.Quantity;
import java.util.Optional;

/**
 * Whether a pod has written more than it may: into a volume with a size limit, in all, or in one of
 * its containers. It is evicted for that whether the node is short of storage or not.
 */
public final class LocalStorageLimit {
  private LocalStorageLimit() {}

  /**
   * What a pod exceeds, as its status will say; empty if it keeps its limits.
   *
   * @param hasImageFilesystem whether what containers write is not the node's storage
   */
  public static Optional<String> exceededBy(PodConsumption pod, boolean hasImageFilesystem) {
    return pod.usage()
        .flatMap(usage ->
            byVolume(pod, usage)
                .or(() -> byPod(pod, usage))
                .or(() -> byContainer(pod, usage, hasImageFilesystem)));
  }

  private static Optional<String> byVolume(PodConsumption pod, PodConsumption.Usage usage) {
    for (PodConsumption.EmptyDir volume : pod.emptyDirs()) {
      PodConsumption.OfVolume used = usage.volumes().get(volume.name());
      if (used != null
          && volume.sizeLimit().signum() > 0
          && exceeds(used.bytes(), volume.sizeLimit())) {
        return Optional.of(
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". "
                .formatted(volume.name(), volume.sizeLimit()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> byPod(PodConsumption pod, PodConsumption.Usage usage) {
    return pod.storageLimit()
        .filter(limit -> exceeds(ephemeralBytes(usage), limit))
        .map(limit ->
            "Pod ephemeral local storage usage exceeds the total limit of containers %s. "
                .formatted(limit));
  }

  /** A hostPath is not the pod's own. */
  private static long ephemeralBytes(PodConsumption.Usage usage) {
    return usage.storageBytes()
        - usage.volumes().values().stream()
            .filter(volume -> !volume.isEmptyDir())
            .mapToLong(PodConsumption.OfVolume::bytes)
            .sum();
  }

  private static Optional<String> byContainer(
      PodConsumption pod, PodConsumption.Usage usage, boolean hasImageFilesystem) {
    for (PodConsumption.OfContainer used : usage.containers()) {
      long bytes = used.logBytes() + (hasImageFilesystem ? 0 : used.rootBytes());
      Optional<Quantity> limit =
          pod.containers().stream()
              .filter(container -> container.name().equals(used.name()))
              .findFirst()
              .flatMap(PodConsumption.Container::storageLimit)
              .filter(most -> most.signum() > 0);
      if (limit.isPresent() && exceeds(bytes, limit.get())) {
        return Optional.of(
            "Container %s exceeded its local ephemeral storage limit \"%s\". "
                .formatted(used.name(), limit.get()));
      }
    }
    return Optional.empty();
  }

  private static boolean exceeds(long bytes, Quantity limit) {
    return PodConsumption.bytes(bytes).compareTo(limit) > 0;
  }
}
