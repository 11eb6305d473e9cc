package dev.berth.policy.attachment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A VolumeAttachment as its writer sees it.
 *
 * @param persistentVolume empty if it is of a volume that has no PersistentVolume
 * @param attached whether the driver has attached the volume
 * @param leaving whether its deletion was asked for; the volume may be attached until it is gone
 * @param error what the driver said when it could not attach; empty if nothing
 */
public record Attachment(
    String name,
    String uid,
    String driver,
    String node,
    String persistentVolume,
    boolean attached,
    boolean leaving,
    String error) {

  public static Attachment read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject spec = tree.object("spec");
    JsonObject status = tree.object("status");
    return new Attachment(
        metadata.name(),
        metadata.uid(),
        spec.text("attacher", ""),
        spec.text("nodeName", ""),
        spec.object("source").text("persistentVolumeName", ""),
        status.flag("attached", false),
        metadata.isBeingDeleted(),
        status.object("attachError").text("message", ""));
  }

  /** The same after its deletion was asked for. */
  public Attachment left() {
    return new Attachment(name, uid, driver, node, persistentVolume, attached, true, error);
  }

  /** The attachment of a volume to a node, as it is to be made. */
  public static JsonObject tree(AttachableVolume volume, String node) {
    return new JsonObject.Builder()
        .put("kind", "VolumeAttachment")
        .put("apiVersion", "storage.k8s.io/v1")
        .put("metadata", JsonObject.of("name", volume.attachmentName(node)))
        .put(
            "spec",
            new JsonObject.Builder()
                .put("attacher", volume.driver())
                .put("nodeName", node)
                .put("source", JsonObject.of("persistentVolumeName", volume.persistentVolume()))
                .build())
        .build();
  }
}
