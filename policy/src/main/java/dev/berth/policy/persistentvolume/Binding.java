package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import java.util.Objects;

/**
 * What a volume and a claim look like that are bound to each other. Each method returns the object
 * itself if there is nothing to change.
 */
public final class Binding {
  private static final String YES = "yes";

  private Binding() {}

  /** The volume, promised to the claim and to no other of its name. */
  public static JsonObject volume(Volume volume, VolumeClaim claim) {
    JsonObject tree = volume.tree();
    if (!volume.isFor(claim) || volume.claimUid().isEmpty()) {
      tree = tree.with("spec", tree.object("spec").with("claimRef", reference(claim)));
    }
    return volume.isFor(claim) || volume.boundByController()
        ? tree
        : annotated(tree, WellKnownAnnotations.BOUND_BY_CONTROLLER, YES);
  }

  static JsonObject reference(VolumeClaim claim) {
    return new JsonObject.Builder()
        .put("apiVersion", "v1")
        .put("kind", "PersistentVolumeClaim")
        .put("namespace", claim.name().namespace())
        .put("name", claim.name().name())
        .put("uid", claim.uid())
        .put("resourceVersion", Metadata.of(claim.tree()).resourceVersion())
        .build();
  }

  /** The volume, as it was before a controller bound it. */
  public static JsonObject unbound(Volume volume) {
    JsonObject tree = volume.tree();
    JsonObject spec = tree.object("spec");
    if (!volume.boundByController()) {
      return tree.with("spec", spec.with("claimRef", spec.object("claimRef").without("uid")));
    }
    return Metadata.update(
        tree.with("spec", spec.without("claimRef")),
        metadata ->
            metadata.with(
                "annotations",
                metadata.object("annotations").without(WellKnownAnnotations.BOUND_BY_CONTROLLER)));
  }

  /** The claim, with its volume for good. */
  public static JsonObject claim(VolumeClaim claim, String volume) {
    JsonObject tree = claim.tree();
    if (!claim.volume().equals(volume)) {
      tree = tree.with("spec", tree.object("spec").with("volumeName", volume));
      tree = annotated(tree, WellKnownAnnotations.BOUND_BY_CONTROLLER, YES);
    }
    return claim.bindCompleted() ? tree : annotated(tree, WellKnownAnnotations.BIND_COMPLETED, YES);
  }

  /**
   * The claim with a status that shows its volume. The capacity is set when it becomes bound, and
   * left alone after that, since it may lag behind the volume's on purpose.
   */
  public static JsonObject claimStatus(JsonObject claim, JsonObject volume) {
    JsonObject status = claim.object("status");
    JsonObject spec = volume.object("spec");
    JsonObject shown = status.with("accessModes", spec.array("accessModes"));
    if (!status.text("phase", "").equals(VolumeClaim.BOUND)) {
      shown = shown.with("phase", VolumeClaim.BOUND).with("capacity", spec.object("capacity"));
      String attributes = spec.text("volumeAttributesClassName", "");
      if (!attributes.isEmpty()) {
        shown = shown.with("currentVolumeAttributesClassName", attributes);
      }
    }
    return shown.equals(status) ? claim : claim.with("status", shown);
  }

  /** The claim with a status that shows no volume. */
  public static JsonObject claimStatus(JsonObject claim, String phase) {
    JsonObject status = claim.object("status");
    JsonObject shown = status.with("phase", phase).without("accessModes").without("capacity");
    return shown.equals(status) ? claim : claim.with("status", shown);
  }

  /** The volume with this phase. */
  public static JsonObject volumeStatus(JsonObject volume, String phase, String message) {
    JsonObject status = volume.object("status");
    if (status.text("phase", "").equals(phase)) {
      return volume;
    }
    JsonObject shown = status.with("phase", phase).without("message");
    return volume.with("status", message.isEmpty() ? shown : shown.with("message", message));
  }

  /** The claim, for whoever is to make a volume for it. */
  public static JsonObject asked(JsonObject claim, String provisioner) {
    String known = Metadata.of(claim).annotations().text(WellKnownAnnotations.STORAGE_PROVISIONER);
    return Objects.equals(known, provisioner)
        ? claim
        : annotated(
            annotated(claim, WellKnownAnnotations.BETA_STORAGE_PROVISIONER, provisioner),
            WellKnownAnnotations.STORAGE_PROVISIONER,
            provisioner);
  }

  /** The claim without its node, so that the scheduler selects another. */
  public static JsonObject unselected(JsonObject claim) {
    return Metadata.update(
        claim,
        metadata ->
            metadata.with(
                "annotations",
                metadata.object("annotations").without(WellKnownAnnotations.SELECTED_NODE)));
  }

  /** The claim of a class. */
  public static JsonObject ofClass(JsonObject claim, String storageClass) {
    return claim.with("spec", claim.object("spec").with("storageClassName", storageClass));
  }

  private static JsonObject annotated(JsonObject object, String key, String value) {
    return Metadata.update(
        object,
        metadata -> metadata.with("annotations", metadata.object("annotations").with(key, value)));
  }
}
