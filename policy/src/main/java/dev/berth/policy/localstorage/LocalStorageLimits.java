package dev.berth.policy.localstorage;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  public static Optional<String> exceeded(JsonObject pod, LocalStorageUse use) {
    JsonObject spec = pod.object("spec");
    return ofVolumes(spec, use).or(() -> ofPod(spec, use)).or(() -> ofContainers(spec, use));
  }

  private static Optional<String> ofVolumes(JsonObject spec, LocalStorageUse use) {
    for (JsonObject volume : spec.array("volumes").objects()) {
      String name = volume.text("name", "");
      Quantity limit = amount(volume.object("emptyDir").get("sizeLimit"));
      if (isExceeded(limit, use.volumes().getOrDefault(name, 0L))) {
        return Optional.of(
            "Usage of EmptyDir volume \"%s\" exceeds the limit \"%s\". ".formatted(name, limit));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> ofPod(JsonObject spec, LocalStorageUse use) {
    ResourceList limits = EffectiveResources.limits(PodSpecView.read(spec));
    if (!limits.has(ResourceList.EPHEMERAL_STORAGE)) {
      return Optional.empty();
    }
    Quantity limit = limits.get(ResourceList.EPHEMERAL_STORAGE);
    return Quantity.of(use.total()).compareTo(limit) > 0
        ? Optional.of(
            "Pod ephemeral local storage usage exceeds the total limit of containers %s. "
                .formatted(limit))
        : Optional.empty();
  }

  private static Optional<String> ofContainers(JsonObject spec, LocalStorageUse use) {
    for (JsonObject container : spec.array("containers").objects()) {
      String name = container.text("name", "");
      Quantity limit =
          ResourceList.read(container.object("resources").object("limits"))
              .get(ResourceList.EPHEMERAL_STORAGE);
      if (isExceeded(limit, use.containers().getOrDefault(name, 0L))) {
        return Optional.of(
            "Container %s exceeded its local ephemeral storage limit \"%s\". "
                .formatted(name, limit));
      }
    }
    return Optional.empty();
  }

  /** A limit of zero is none. */
  private static boolean isExceeded(Quantity limit, long used) {
    return limit.signum() > 0 && Quantity.of(used).compareTo(limit) > 0;
  }

  private static Quantity amount(@Nullable Object value) {
    try {
      return value == null ? Quantity.ZERO : Quantity.fromTree(value);
    } catch (QuantityFormatException malformed) {
      return Quantity.ZERO;
    }
  }
}
