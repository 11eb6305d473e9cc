package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;

/**
 * The finalizers that keep claims while pods use them, volumes while claims have them, and
 * VolumeAttributesClasses while claims or volumes name them.
 *
 * <p>A volume is kept from the moment that it is bound to a claim until it is released; unlike
 * upstream, also before its status says that it is bound.
 */
public final class Protection {
  public static final String OF_CLAIMS = "kubernetes.io/pvc-protection";
  public static final String OF_VOLUMES = "kubernetes.io/pv-protection";
  public static final String OF_ATTRIBUTES_CLASSES = "kubernetes.io/vac-protection";

  private Protection() {}

  /** Whether an object is to be gone as soon as nobody uses it. */
  public static boolean holds(JsonObject object, String finalizer) {
    Metadata metadata = Metadata.of(object);
    return metadata.isBeingDeleted() && metadata.finalizers().contains(finalizer);
  }

  /** Whether an object is without a finalizer that it should have. */
  public static boolean isMissing(JsonObject object, String finalizer) {
    Metadata metadata = Metadata.of(object);
    return !metadata.isBeingDeleted() && !metadata.finalizers().contains(finalizer);
  }

  /** Whether a volume is kept by its claim. */
  public static boolean keeps(PersistentVolumeView volume) {
    return volume.phase().equals(PersistentVolumeView.BOUND)
        || (!volume.claimUid().isEmpty() && !volume.isReleased());
  }
}
