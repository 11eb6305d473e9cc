package dev.berth.scheduler.cluster.volume;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A persistent volume as the scheduler sees it.
 *
 * @param claim the claim that it is bound to or reserved for; null if it is free
 * @param claimUid the claim's; empty if any claim of that name will do
 * @param nodes where it can be used; null if everywhere
 * @param driver the CSI driver; empty if it is of another kind
 */
public record VolumeInfo(
    String name,
    JsonObject tree,
    JsonObject labels,
    String storageClass,
    Quantity capacity,
    String mode,
    List<String> accessModes,
    String attributesClass,
    @Nullable ObjectName claim,
    String claimUid,
    @Nullable NodeSelector nodes,
    boolean available,
    boolean terminating,
    String driver,
    String handle) {

  static VolumeInfo read(JsonObject tree) {
    JsonObject metadata = tree.object("metadata");
    JsonObject spec = tree.object("spec");
    JsonObject claim = spec.object("claimRef");
    JsonObject csi = spec.object("csi");
    return new VolumeInfo(
        metadata.text("name", ""),
        tree,
        metadata.object("labels"),
        metadata
            .object("annotations")
            .text(WellKnownAnnotations.BETA_STORAGE_CLASS, spec.text("storageClassName", "")),
        size(spec.object("capacity")),
        spec.text("volumeMode", "Filesystem"),
        List.copyOf(spec.array("accessModes").texts()),
        spec.text("volumeAttributesClassName", ""),
        claim.isEmpty()
            ? null
            : new ObjectName(claim.text("namespace", ""), claim.text("name", "")),
        claim.text("uid", ""),
        spec.object("nodeAffinity").get("required") instanceof JsonObject required
            ? NodeSelector.read(required)
            : null,
        tree.object("status").text("phase", "").equals("Available"),
        metadata.text("deletionTimestamp") != null,
        csi.text("driver", ""),
        csi.text("volumeHandle", ""));
  }

  static Quantity size(JsonObject amounts) {
    Object amount = amounts.get("storage");
    return amount == null ? Quantity.ZERO : Quantity.fromTree(amount);
  }

  /** Whether it is bound to or reserved for a claim. */
  public boolean isFor(ClaimInfo other) {
    return other.name().equals(claim) && (claimUid.isEmpty() || claimUid.equals(other.uid()));
  }
}
