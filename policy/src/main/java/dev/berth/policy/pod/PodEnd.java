package dev.berth.policy.pod;

import dev.berth.model.core.PodPhase;
import dev.berth.model.core.Toleration;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * How a pod stands with its end: all that matters to whoever collects what nobody else will delete.
 *
 * @param nodeName empty if it is bound to none
 * @param evicted whether it has failed because its node evicted it
 * @param created the beginning of time if nobody said when
 * @param terminating whether its deletion was asked for
 * @param held whether its deletion was asked for without grace, so that only finalizers hold it
 * @param tolerations as the tree has them, since few are ever read
 */
public record PodEnd(
    ObjectName name,
    String uid,
    String nodeName,
    PodPhase phase,
    boolean evicted,
    Instant created,
    boolean terminating,
    boolean held,
    JsonArray tolerations) {

  public static PodEnd read(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    JsonObject spec = pod.object("spec");
    JsonObject status = pod.object("status");
    PodPhase phase = PodPhase.of(status.text("phase", ""));
    boolean terminating = metadata.isBeingDeleted();
    return new PodEnd(
        ObjectName.of(pod),
        metadata.uid(),
        spec.text("nodeName", ""),
        phase,
        phase == PodPhase.FAILED && status.text("reason", "").equals("Evicted"),
        metadata.creationTimestamp().orElse(Instant.EPOCH),
        terminating,
        terminating && metadata.deletionGracePeriodSeconds().orElse(1) == 0,
        spec.array("tolerations"));
  }

  /** Whether a collector can do nothing more for it. */
  boolean isBeyondHelp() {
    return held && phase.finished();
  }

  List<Toleration> readTolerations() {
    return tolerations.objects().stream().map(Toleration::read).toList();
  }
}
