package dev.berth.controllers.attachdetach;

import dev.berth.client.event.EventRecorder;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.policy.attachment.AttachAction;
import dev.berth.policy.attachment.AttachableVolume;
import dev.berth.time.Loop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells pods what became of the volumes that they wait for, as events. */
final class AttachmentEvents implements AttachmentIndex.Listener {
  private static final String FAILED = "FailedAttachVolume";
  private static final String ACTION = "AttachVolume";

  private final EventRecorder recorder;
  private final VolumeIndex volumes;
  private final Consumer<String> nodeToTell;

  /**
   * @param nodeToTell told of nodes whose attachments changed
   */
  AttachmentEvents(
      ControllerParts parts, Loop loop, VolumeIndex volumes, Consumer<String> nodeToTell) {
    this.recorder =
        EventRecorder.counting(parts.api(), loop, parts.time(), AttachDetachController.ACCOUNT);
    this.volumes = volumes;
    this.nodeToTell = nodeToTell;
  }

  @Override
  public void changed(String node) {
    nodeToTell.accept(node);
  }

  @Override
  public void attached(TrackedAttachment attachment) {
    tell(
        attachment,
        EventRecorder.Type.NORMAL,
        "SuccessfulAttachVolume",
        "AttachVolume.Attach succeeded for volume \"%s\"");
  }

  @Override
  public void failed(TrackedAttachment attachment, String why) {
    tell(
        attachment,
        EventRecorder.Type.WARNING,
        FAILED,
        "AttachVolume.Attach failed for volume \"%s\" : " + why.replace("%", "%%"));
  }

  private void tell(
      TrackedAttachment attachment, EventRecorder.Type type, String reason, String note) {
    TrackedVolume volume = volumes.volume(attachment.volume);
    TrackedPlace place = volume == null ? null : volume.places.get(attachment.node);
    if (volume != null && place != null) {
      for (TrackedPod pod : place.pods.values()) {
        recorder.record(pod.tree, type, reason, ACTION, note.formatted(nameOf(volume.volume)));
      }
    }
  }

  /** Tells the pods at a place that another node has their volume. */
  void refused(TrackedVolume volume, TrackedPlace place, AttachAction.Refuse why) {
    for (TrackedPod pod : place.pods.values()) {
      String message = why.message(Metadata.of(pod.tree).namespace());
      recorder.record(
          pod.tree,
          EventRecorder.Type.WARNING,
          FAILED,
          ACTION,
          "Multi-Attach error for volume \"%s\" %s".formatted(nameOf(volume.volume), message));
    }
  }

  private static String nameOf(@Nullable AttachableVolume volume) {
    return volume == null ? "" : volume.persistentVolume();
  }
}
