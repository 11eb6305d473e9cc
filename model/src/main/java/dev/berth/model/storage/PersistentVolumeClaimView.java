package dev.berth.model.storage;

import dev.berth.model.core.ResourceList;
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
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolumeClaim as those see it who bind it.
 *
 * @param hasClass whether it says which class it wants, be it none
 * @param volume the volume that it names; empty if none
 * @param bindCompleted whether it was bound before, so that being without its volume is a loss
 * @param selectedNode the node that a volume is to be made for; empty if none
 * @param selector which volumes will do
 */
public record PersistentVolumeClaimView(
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

  public static PersistentVolumeClaimView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject annotations = metadata.annotations();
    JsonObject spec = tree.object("spec");
    String older = annotations.text(WellKnownAnnotations.BETA_STORAGE_CLASS);
    String named = spec.text("storageClassName");
    return new PersistentVolumeClaimView(
        ObjectName.of(tree),
        metadata.uid(),
        tree,
        older != null ? older : named != null ? named : "",
        namesClass(tree),
        spec.text("volumeName", ""),
        annotations.has(WellKnownAnnotations.BIND_COMPLETED),
        annotations.has(WellKnownAnnotations.BOUND_BY_CONTROLLER),
        annotations.text(WellKnownAnnotations.SELECTED_NODE, ""),
        ResourceList.read(requests(tree)).get(ResourceList.STORAGE),
        spec.text("volumeMode", PersistentVolumeView.FILESYSTEM),
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

  /**
   * The class that the specification of a claim names, whatever an older annotation says; empty if
   * none.
   */
  public static String classInSpec(JsonObject claim) {
    return claim.object("spec").text("storageClassName", "");
  }

  /** What a claim that may yet be malformed requests; its amounts are the tree's own. */
  public static JsonObject requests(JsonObject claim) {
    return claim.object("spec").object("resources").object("requests");
  }

  /** What was allocated to a claim; its amounts are the tree's own. */
  public static JsonObject allocated(JsonObject claim) {
    return claim.object("status").object("allocatedResources");
  }

  /** The attributes classes that a claim asks for, has, or is being changed to. */
  public static Set<String> attributesClasses(JsonObject claim) {
    JsonObject status = claim.object("status");
    Set<String> classes = new TreeSet<>();
    classes.add(claim.object("spec").text("volumeAttributesClassName", ""));
    classes.add(status.text("currentVolumeAttributesClassName", ""));
    classes.add(status.object("modifyVolumeStatus").text("targetVolumeAttributesClassName", ""));
    classes.remove("");
    return classes;
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

  public boolean hasSelector() {
    return tree.object("spec").has("selector");
  }

  /** Whether its volume is to begin with the content of another object. */
  public boolean hasDataSource() {
    JsonObject spec = tree.object("spec");
    return spec.has("dataSource") || spec.has("dataSourceRef");
  }

  /** The amount of storage that it requests, as it is written; {@code 0} if it requests none. */
  public Object requestAsWritten() {
    Object amount = requests(tree).get(ResourceList.STORAGE);
    return amount == null ? "0" : amount;
  }

  /** The provisioner that was asked to make its volume; null if none was. */
  public @Nullable String askedProvisioner() {
    return Metadata.of(tree).annotations().text(WellKnownAnnotations.STORAGE_PROVISIONER);
  }

  /** The uid of the object that manages it; empty if nothing does. */
  public String owner() {
    return Metadata.of(tree).controller().map(OwnerReference::uid).orElse("");
  }
}
