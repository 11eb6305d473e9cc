package dev.berth.scheduler.cluster.volume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A persistent volume claim as the scheduler sees it.
 *
 * @param volume the volume that it names; empty if none
 * @param bound whether it is bound to that volume for good
 * @param selectedNode the node that a volume is being made for; empty if none
 * @param selector which volumes will do
 * @param lost whether the volume that it was bound to is gone
 * @param controller what manages it; empty if nothing does
 */
public record ClaimInfo(
    ObjectName name,
    String uid,
    JsonObject tree,
    String storageClass,
    String volume,
    boolean bound,
    String selectedNode,
    Quantity request,
    String mode,
    List<String> accessModes,
    String attributesClass,
    LabelSelector selector,
    boolean lost,
    boolean terminating,
    String controller) {
  private static final String ONE_POD = "ReadWriteOncePod";

  static ClaimInfo read(JsonObject tree) {
    JsonObject metadata = tree.object("metadata");
    JsonObject annotations = metadata.object("annotations");
    JsonObject spec = tree.object("spec");
    String volume = spec.text("volumeName", "");
    return new ClaimInfo(
        ObjectName.of(tree),
        metadata.text("uid", ""),
        tree,
        annotations.text(
            WellKnownAnnotations.BETA_STORAGE_CLASS, spec.text("storageClassName", "")),
        volume,
        !volume.isEmpty() && annotations.has(WellKnownAnnotations.BIND_COMPLETED),
        annotations.text(WellKnownAnnotations.SELECTED_NODE, ""),
        VolumeInfo.size(spec.object("resources").object("requests")),
        spec.text("volumeMode", "Filesystem"),
        List.copyOf(spec.array("accessModes").texts()),
        spec.text("volumeAttributesClassName", ""),
        selector(spec.get("selector")),
        tree.object("status").text("phase", "").equals("Lost"),
        metadata.text("deletionTimestamp") != null,
        new Metadata(metadata).controller().map(OwnerReference::uid).orElse(""));
  }

  private static LabelSelector selector(@Nullable Object tree) {
    if (tree == null || tree instanceof JsonNull) {
      return LabelSelector.EVERYTHING;
    }
    try {
      return LabelSelector.fromTree(tree);
    } catch (SelectorException malformed) {
      return LabelSelector.NOTHING;
    }
  }

  /** Whether only one pod at a time may use it. */
  public boolean isForOnePod() {
    return accessModes.contains(ONE_POD);
  }
}
