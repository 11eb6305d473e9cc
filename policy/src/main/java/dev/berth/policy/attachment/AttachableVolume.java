package dev.berth.policy.attachment;

import dev.berth.model.resource.NameHash;
import dev.berth.model.tree.JsonObject;
import java.util.regex.Pattern;

/**
 * A volume that has to be attached to a node before a pod there can use it.
 *
 * @param persistentVolume the name of its PersistentVolume
 * @param handle what its driver calls it
 * @param exclusive whether it may be attached to one node at a time only: neither of its access
 *     modes lets several nodes have it
 */
public record AttachableVolume(
    String persistentVolume, String driver, String handle, boolean exclusive) {
  private static final String CSI = "kubernetes.io/csi";
  private static final Pattern ATTACHMENT = Pattern.compile("csi-[0-9a-f]{64}");

  /** As the status of a node names it. */
  public String uniqueName() {
    return CSI + "/" + driver + "^" + handle;
  }

  /** What metrics call those who keep volumes of its driver. */
  public static String plugin(String driver) {
    return CSI + ":" + driver;
  }

  /** Its VolumeAttachment to a node, as it is to be made. */
  public JsonObject attachmentTo(String node) {
    return new JsonObject.Builder()
        .put("kind", "VolumeAttachment")
        .put("apiVersion", "storage.k8s.io/v1")
        .put("metadata", JsonObject.of("name", attachmentName(node)))
        .put(
            "spec",
            new JsonObject.Builder()
                .put("attacher", driver)
                .put("nodeName", node)
                .put("source", JsonObject.of("persistentVolumeName", persistentVolume))
                .build())
        .build();
  }

  /** The name of its VolumeAttachment to a node. */
  public String attachmentName(String node) {
    return attachmentName(handle, driver, node);
  }

  /**
   * The name of the attachment to a node of what the node's status names; empty if that is not a
   * volume of a CSI driver. So attachments whose PersistentVolume is gone are recognized as well.
   */
  public static String attachmentName(String uniqueName, String node) {
    int caret = uniqueName.indexOf('^');
    if (!uniqueName.startsWith(CSI + "/") || caret < 0) {
      return "";
    }
    String driver = uniqueName.substring(CSI.length() + 1, caret);
    return attachmentName(uniqueName.substring(caret + 1), driver, node);
  }

  /** Whether the attachment of some volume to some node may be called so. */
  public static boolean isAttachmentName(String name) {
    return ATTACHMENT.matcher(name).matches();
  }

  private static String attachmentName(String handle, String driver, String node) {
    return "csi-" + NameHash.sha256(handle + driver + node);
  }
}
