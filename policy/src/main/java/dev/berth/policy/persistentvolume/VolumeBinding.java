package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * What a volume and a claim look like that are bound to each other. Each method returns the tree of
 * the object, with everything that it does not name as it was: the very tree if there is nothing to
 * change.
 */
public final class VolumeBinding {
  private static final String YES = "yes";
  private static final String SPEC = "spec";
  private static final String STATUS = "status";
  private static final String PHASE = "phase";
  private static final String CLAIM_REF = "claimRef";

  private VolumeBinding() {}

  /** The volume, reserved for the claim and for no other of its name. */
  public static JsonObject volume(PersistentVolumeView volume, PersistentVolumeClaimView claim) {
    JsonObject tree = volume.tree();
    if (!volume.isFor(claim) || volume.claimUid().isEmpty()) {
      tree = tree.update(SPEC, spec -> spec.with(CLAIM_REF, reference(claim)));
    }
    return volume.isFor(claim) || volume.boundByController()
        ? tree
        : Metadata.annotate(tree, WellKnownAnnotations.BOUND_BY_CONTROLLER, YES);
  }

  static JsonObject reference(PersistentVolumeClaimView claim) {
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
  public static JsonObject unbound(PersistentVolumeView volume) {
    JsonObject tree = volume.tree();
    return volume.boundByController()
        ? Metadata.withoutAnnotation(
            tree.update(SPEC, spec -> spec.without(CLAIM_REF)),
            WellKnownAnnotations.BOUND_BY_CONTROLLER)
        : tree.update(SPEC, spec -> spec.update(CLAIM_REF, claim -> claim.without("uid")));
  }

  /** The claim, with its volume for good. */
  public static JsonObject claim(PersistentVolumeClaimView claim, String volume) {
    JsonObject tree = claim.tree();
    if (!claim.volume().equals(volume)) {
      tree = tree.update(SPEC, spec -> spec.with("volumeName", volume));
      tree = Metadata.annotate(tree, WellKnownAnnotations.BOUND_BY_CONTROLLER, YES);
    }
    return claim.bindCompleted()
        ? tree
        : Metadata.annotate(tree, WellKnownAnnotations.BIND_COMPLETED, YES);
  }

  /**
   * The claim with a status that shows its volume. The capacity is set when it becomes bound, and
   * left alone after that, since it may lag behind the volume's on purpose.
   */
  public static JsonObject claimStatus(
      PersistentVolumeClaimView claim, PersistentVolumeView volume) {
    return claim
        .tree()
        .update(
            STATUS,
            status -> {
              JsonObject shown = status.with("accessModes", JsonArray.copyOf(volume.accessModes()));
              return claim.phase().equals(PersistentVolumeClaimView.BOUND)
                  ? shown
                  : becomesBound(shown, volume);
            });
  }

  private static JsonObject becomesBound(JsonObject status, PersistentVolumeView volume) {
    JsonObject shown =
        status.with(PHASE, PersistentVolumeClaimView.BOUND).with("capacity", volume.capacityTree());
    return volume.attributesClass().isEmpty()
        ? shown
        : shown.with("currentVolumeAttributesClassName", volume.attributesClass());
  }

  /** The claim with a status that shows no volume. */
  public static JsonObject claimStatus(PersistentVolumeClaimView claim, String phase) {
    return claim
        .tree()
        .update(
            STATUS, status -> status.with(PHASE, phase).without("accessModes").without("capacity"));
  }

  /** The volume with this phase. */
  public static JsonObject volumeStatus(PersistentVolumeView volume, String phase, String message) {
    if (volume.phase().equals(phase)) {
      return volume.tree();
    }
    return volume
        .tree()
        .update(
            STATUS,
            status -> {
              JsonObject shown = status.with(PHASE, phase);
              return message.isEmpty() ? shown.without("message") : shown.with("message", message);
            });
  }

  /** The claim, for whoever is to make a volume for it. */
  public static JsonObject asked(PersistentVolumeClaimView claim, String provisioner) {
    return provisioner.equals(claim.askedProvisioner())
        ? claim.tree()
        : Metadata.annotate(
            Metadata.annotate(
                claim.tree(), WellKnownAnnotations.BETA_STORAGE_PROVISIONER, provisioner),
            WellKnownAnnotations.STORAGE_PROVISIONER,
            provisioner);
  }

  /** The claim without its node, so that the scheduler selects another. */
  public static JsonObject unselected(PersistentVolumeClaimView claim) {
    return Metadata.withoutAnnotation(claim.tree(), WellKnownAnnotations.SELECTED_NODE);
  }

  /** The claim of a class. */
  public static JsonObject ofClass(JsonObject claim, String storageClass) {
    return claim.update(SPEC, spec -> spec.with("storageClassName", storageClass));
  }
}
