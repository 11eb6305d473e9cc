package dev.berth.model.storage;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A VolumeAttachment: the wish that a volume is attached to a node, and what its driver has made of
 * that.
 *
 * @param persistentVolume empty if it is of a volume that has no PersistentVolume
 * @param attached whether the driver has attached the volume
 * @param terminating whether its deletion was asked for; the volume may be attached until it is
 *     gone
 * @param error what the driver said when it could not attach; empty if nothing
 */
public record VolumeAttachmentView(
    String name,
    String uid,
    String driver,
    String node,
    String persistentVolume,
    boolean attached,
    boolean terminating,
    String error) {

  public static VolumeAttachmentView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject spec = tree.object("spec");
    JsonObject status = tree.object("status");
    return new VolumeAttachmentView(
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
  public VolumeAttachmentView asTerminating() {
    return new VolumeAttachmentView(
        name, uid, driver, node, persistentVolume, attached, true, error);
  }
}
