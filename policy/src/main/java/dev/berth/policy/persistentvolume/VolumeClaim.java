package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
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
 * A persistent volume claim as those see it who bind it.
 *
 * @param hasClass whether it says which class it wants, be it none
 * @param volume the volume that it names; empty if none
 * @param bindCompleted whether it was bound before, so that being without its volume is a loss
 * @param selectedNode the node that a volume is to be made for; empty if none
 * @param selector which volumes will do
 */
public record VolumeClaim(
    ObjectName name,
    String uid,
    JsonObject tree,
    String storageClass,
    boolean hasClass,
    String volume,
    boolean bindCompleted,
    boolean boundByController,
    String selectedNode,
    Quantity request,
    String mode,
    List<String> accessModes,
    String attributesClass,
    LabelSelector selector,
    String phase,
    boolean terminating) {
  public static final String PENDING = "Pending";
  public static final String BOUND = "Bound";
  public static final String LOST = "Lost";

  public static VolumeClaim read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    JsonObject spec = tree.object("spec");
    String older = annotations.text(WellKnownAnnotations.BETA_STORAGE_CLASS);
    String named = spec.text("storageClassName");
    return new VolumeClaim(
        ObjectName.of(tree),
        metadata.uid(),
        tree,
        older != null ? older : named != null ? named : "",
        namesClass(tree),
        spec.text("volumeName", ""),
        annotations.has(WellKnownAnnotations.BIND_COMPLETED),
        annotations.has(WellKnownAnnotations.BOUND_BY_CONTROLLER),
        annotations.text(WellKnownAnnotations.SELECTED_NODE, ""),
        Volume.size(spec.object("resources").object("requests")),
        spec.text("volumeMode", Volume.FILESYSTEM),
        List.copyOf(spec.array("accessModes").texts()),
        spec.text("volumeAttributesClassName", ""),
        selector(spec.get("selector")),
        tree.object("status").text("phase", ""),
        metadata.isBeingDeleted());
  }

  /** Whether a claim that may yet be malformed says which class it wants, be it none. */
  public static boolean namesClass(JsonObject claim) {
    return Metadata.of(claim).annotations().has(WellKnownAnnotations.BETA_STORAGE_CLASS)
        || claim.object("spec").text("storageClassName") != null;
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

  /** Whether it has no volume yet, and names none. */
  public boolean isOpen() {
    return !bindCompleted && volume.isEmpty();
  }
}
