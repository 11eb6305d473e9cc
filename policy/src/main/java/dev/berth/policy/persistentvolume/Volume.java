package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A persistent volume as those see it who bind claims to it.
 *
 * @param claim whom it is bound or promised to; null if it is free
 * @param claimUid which of the claims of that name; empty if any
 * @param phase as its status has it
 * @param reclaimPolicy what becomes of it without its claim
 * @param provisionedBy who made it; empty if nobody says
 * @param boundByController whether the claim was chosen by a controller, and not by whoever made
 *     the volume
 */
public record Volume(
    String name,
    JsonObject tree,
    String storageClass,
    Quantity capacity,
    String mode,
    List<String> accessModes,
    String attributesClass,
    @Nullable ObjectName claim,
    String claimUid,
    String phase,
    String reclaimPolicy,
    String provisionedBy,
    boolean boundByController,
    boolean terminating) {
  public static final String AVAILABLE = "Available";
  public static final String BOUND = "Bound";
  public static final String RELEASED = "Released";
  public static final String FAILED = "Failed";

  static final String FILESYSTEM = "Filesystem";

  public static Volume read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    JsonObject spec = tree.object("spec");
    JsonObject claim = spec.object("claimRef");
    return new Volume(
        metadata.name(),
        tree,
        annotations.text(
            WellKnownAnnotations.BETA_STORAGE_CLASS, spec.text("storageClassName", "")),
        size(spec.object("capacity")),
        spec.text("volumeMode", FILESYSTEM),
        List.copyOf(spec.array("accessModes").texts()),
        spec.text("volumeAttributesClassName", ""),
        claim.isEmpty()
            ? null
            : new ObjectName(claim.text("namespace", ""), claim.text("name", "")),
        claim.text("uid", ""),
        tree.object("status").text("phase", ""),
        spec.text("persistentVolumeReclaimPolicy", "Retain"),
        annotations.text(WellKnownAnnotations.PROVISIONED_BY, ""),
        annotations.has(WellKnownAnnotations.BOUND_BY_CONTROLLER),
        metadata.isBeingDeleted());
  }

  static Quantity size(JsonObject amounts) {
    Object amount = amounts.get("storage");
    return amount == null || amount instanceof JsonNull ? Quantity.ZERO : Quantity.fromTree(amount);
  }

  /** Whether any claim may have it that it fits. */
  public boolean isFree() {
    return claim == null && phase.equals(AVAILABLE) && !terminating;
  }

  /** Whether it is bound or promised to a claim. */
  public boolean isFor(VolumeClaim other) {
    return other.name().equals(claim) && (claimUid.isEmpty() || claimUid.equals(other.uid()));
  }

  boolean isReleased() {
    return phase.equals(RELEASED) || phase.equals(FAILED);
  }
}
