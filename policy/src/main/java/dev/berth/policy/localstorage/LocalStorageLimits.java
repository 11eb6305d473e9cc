package dev.berth.policy.localstorage;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.storage.EmptyDirVolume;
import dev.berth.policy.pod.EffectiveResources;
import java.util.List;
import java.util.Optional;

/**
 * Whether a pod takes more of its node's own storage than it may, for which it is evicted at once.
 *
 * <ol>
 *   <li>An {@code emptyDir} volume holds no more than its {@code sizeLimit}, in memory too.
 *   <li>The pod as a whole takes no more than its limit of {@code ephemeral-storage}, if it has
 *       one.
 *   <li>A container takes no more than its own.
 * </ol>
 */
public final class LocalStorageLimits {
  private LocalStorageLimits() {}

  /** The message of the eviction, in upstream's words; empty if all limits are kept. */
  public static Optional<String> exceeded(
      PodSpecView pod, List<EmptyDirVolume> volumes, LocalStorageUse use) {
    return ofVolumes(volumes, use).or(() -> ofPod(pod, use)).or(() -> ofContainers(pod, use));
  }

  private static Optional<String> ofVolumes(List<EmptyDirVolume> volumes, LocalStorageUse use) {
    return volumes.stream()
        .filter(
            volume -> isExceeded(volume.sizeLimit(), use.volumes().getOrDefault(volume.name(), 0L)))
        .findFirst()
        .map(volume ->
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". "
                .formatted(volume.name(), volume.sizeLimit()));
  }

  private static Optional<String> ofPod(PodSpecView pod, LocalStorageUse use) {
    ResourceList limits = EffectiveResources.limits(pod);
    Quantity limit = limits.get(ResourceList.EPHEMERAL_STORAGE);
    return limits.has(ResourceList.EPHEMERAL_STORAGE)
            && Quantity.of(use.total()).compareTo(limit) > 0
        ? Optional.of(
            "Pod ephemeral local storage usage exceeds the total limit of containers %s. "
                .formatted(limit))
        : Optional.empty();
  }

  private static Optional<String> ofContainers(PodSpecView pod, LocalStorageUse use) {
    for (ContainerView container : pod.containers()) {
      Quantity limit = ResourceList.read(container.limits()).get(ResourceList.EPHEMERAL_STORAGE);
      if (isExceeded(limit, use.containers().getOrDefault(container.name(), 0L))) {
        return Optional.of(
            "Container %s exceeded its local ephemeral storage limit \"%s\". "
                .formatted(container.name(), limit));
      }
    }
    return Optional.empty();
  }

  /** A limit of zero is none. */
  private static boolean isExceeded(Quantity limit, long used) {
    return limit.signum() > 0 && Quantity.of(used).compareTo(limit) > 0;
  }
}
