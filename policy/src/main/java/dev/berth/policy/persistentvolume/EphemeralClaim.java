package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.storage.EphemeralVolume;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** The claim of a volume that lives and goes with its pod. */
public final class EphemeralClaim {
  private EphemeralClaim() {}

  /** Whether a claim was made for a pod. */
  public static boolean isOf(JsonObject pod, JsonObject claim) {
    return Metadata.of(claim).isControlledBy(Metadata.of(pod).uid());
  }

  /** The claim that is made for a volume of a pod, from the volume's template. */
  public static JsonObject make(JsonObject pod, EphemeralVolume volume) {
    Metadata owner = Metadata.of(pod);
    OwnerReference reference =
        new OwnerReference("v1", "Pod", owner.name(), owner.uid(), true, true);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", owner.namespace())
            .put("name", volume.claimName(owner.name()))
            .putIfPresent("labels", volume.claimLabels())
            .putIfPresent("annotations", volume.claimAnnotations())
            .put("ownerReferences", JsonArray.of(reference.toTree()))
            .build();
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolumeClaim")
        .put("metadata", metadata)
        .put("spec", volume.claimSpec())
        .build();
  }
}
