package dev.berth.model.storage;

import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolume as those see it who bind claims to it.
 *
 * @param claim the claim that it is bound or reserved for; null if it is free
 * @param claimUid which of the claims of that name; empty if any
 * @param reclaimPolicy what becomes of it once its claim is gone
 * @param provisionedBy the provisioner that made it; empty if nobody says
 * @param boundByController whether the claim was chosen by a controller, and not by whoever made
 *     the volume
 * @param csi null if it is not of a CSI driver
 */
public record PersistentVolumeView(
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
    boolean terminating,
    @Nullable CsiSource csi) {
  public static final String AVAILABLE = "Available";
  public static final String BOUND = "Bound";
  public static final String RELEASED = "Released";
  public static final String FAILED = "Failed";

  public static final String FILESYSTEM = "Filesystem";

  private static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  /** A volume of a CSI driver, and what the driver calls it. */
  public record CsiSource(String driver, String volumeHandle) {}

  public static PersistentVolumeView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    JsonObject spec = tree.object("spec");
    JsonObject claim = spec.object("claimRef");
    JsonObject csi = spec.object("csi");
    return new PersistentVolumeView(
        metadata.name(),
        tree,
        annotations.text(
            WellKnownAnnotations.BETA_STORAGE_CLASS, spec.text("storageClassName", "")),
        ResourceList.read(spec.object("capacity")).get(ResourceList.STORAGE),
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
        metadata.isBeingDeleted(),
        csi.isEmpty() ? null : new CsiSource(csi.text("driver", ""), csi.text("volumeHandle", "")));
  }

  public JsonObject labels() {
    return Metadata.of(tree).labels();
  }

  /** The amounts of its capacity as the tree has them. */
  public JsonObject capacityTree() {
    return tree.object("spec").object("capacity");
  }

  /** Whether a CSI driver has taken it over from a plugin that Kubernetes once had built in. */
  public boolean isMigrated() {
    return Metadata.of(tree).annotation(MIGRATED_TO).isPresent();
  }

  /** Whether any claim may have it that it fits. */
  public boolean isFree() {
    return claim == null && phase.equals(AVAILABLE) && !terminating;
  }

  /** Whether it is bound to a claim, or reserved for it. */
  public boolean isFor(PersistentVolumeClaimView other) {
    return other.name().equals(claim) && (claimUid.isEmpty() || claimUid.equals(other.uid()));
  }

  /**
   * What the label of its node says, of a volume that can be used on one node only; empty if it
   * does not go by that.
   */
  public Optional<String> hostname() {
    return tree
        .object("spec")
        .object("nodeAffinity")
        .object("required")
        .array("nodeSelectorTerms")
        .objects()
        .stream()
        .flatMap(term -> term.array("matchExpressions").objects().stream())
        .filter(expression -> expression.text("key", "").equals(WellKnownLabels.HOSTNAME))
        .flatMap(expression -> expression.array("values").texts().stream())
        .findFirst();
  }

  public boolean isReleased() {
    return phase.equals(RELEASED) || phase.equals(FAILED);
  }
}
