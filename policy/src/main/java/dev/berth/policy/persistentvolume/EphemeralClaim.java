package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** The claim of a volume that lives and goes with its pod. */
public final class EphemeralClaim {
  private EphemeralClaim() {}

  /** Its name, which nobody else should have. */
  static String name(JsonObject pod, JsonObject volume) {
    return Metadata.of(pod).name() + "-" + volume.text("name", "");
  }

  /** Whether a claim was made for a pod. */
  public static boolean isOf(JsonObject pod, JsonObject claim) {
    return Metadata.of(claim).isControlledBy(Metadata.of(pod).uid());
  }

  /** The claim that is made for a volume of a pod, from the volume's template. */
  public static JsonObject make(JsonObject pod, JsonObject volume) {
    JsonObject template = volume.object("ephemeral").object("volumeClaimTemplate");
    JsonObject given = template.object("metadata");
    OwnerReference owner =
        new OwnerReference(
            "v1", "Pod", Metadata.of(pod).name(), Metadata.of(pod).uid(), true, true);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", Metadata.of(pod).namespace())
            .put("name", name(pod, volume))
            .putIfPresent("labels", given.get("labels"))
            .putIfPresent("annotations", given.get("annotations"))
            .put("ownerReferences", JsonArray.of(owner.toTree()))
            .build();
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolumeClaim")
        .put("metadata", metadata)
        .put("spec", template.object("spec"))
        .build();
  }
}
