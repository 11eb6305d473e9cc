package dev.berth.policy.attachment;

import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.storage.NodeVolumeStatus;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podgc.PodGarbage;
import java.util.List;

/**
 * What a node says about volumes, and what matters to them about it.
 *
 * @param managed whether the controller attaches for it, rather than the node itself
 * @param outOfService whether it is not ready, and somebody has said that it is out of service
 * @param keepsTerminated whether volumes of finished pods stay attached until the pods are gone
 * @param inUse the volumes that it uses or is about to
 * @param attached the volumes that it was told are attached
 */
public record NodeVolumes(
    String uid,
    boolean managed,
    boolean ready,
    boolean outOfService,
    boolean keepsTerminated,
    List<String> inUse,
    List<String> attached) {

  public NodeVolumes {
    inUse = List.copyOf(inUse);
    attached = List.copyOf(attached);
  }

  public static NodeVolumes read(JsonObject node) {
    Metadata metadata = Metadata.of(node);
    NodeView view = NodeView.read(node);
    NodeVolumeStatus status = NodeVolumeStatus.read(node);
    return new NodeVolumes(
        metadata.uid(),
        metadata.annotation(WellKnownAnnotations.CONTROLLER_MANAGED_ATTACH_DETACH).isPresent(),
        view.ready(),
        !PodGarbage.outOfService(view).isEmpty(),
        metadata
            .annotation(WellKnownAnnotations.KEEP_TERMINATED_POD_VOLUMES)
            .filter("true"::equals)
            .isPresent(),
        status.inUse(),
        status.attached());
  }

  /** Whether it uses a volume, or is about to. */
  public boolean uses(String node, String attachment) {
    return inUse.stream()
        .anyMatch(name -> AttachableVolume.attachmentName(name, node).equals(attachment));
  }
}
