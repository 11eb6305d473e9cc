package dev.berth.policy.podgc;

import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Toleration;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * A pod as the pod garbage collector sees it.
 *
 * @param nodeName empty if it is bound to none
 * @param evicted whether it has failed because its node evicted it
 * @param created the epoch if that is not known
 * @param terminating whether its deletion was asked for
 * @param held whether its deletion was asked for without grace, so that only finalizers hold it
 * @param tolerations as the tree has them, since few are ever read
 */
public record CollectablePod(
    ObjectName name,
    String uid,
    String nodeName,
    PodPhase phase,
    boolean evicted,
    Instant created,
    boolean terminating,
    boolean held,
    JsonArray tolerations) {

  public static CollectablePod read(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    PodPhase phase = pod.phase();
    return new CollectablePod(
        pod.name(),
        pod.uid(),
        pod.nodeName(),
        phase,
        phase == PodPhase.FAILED && pod.reason().equals("Evicted"),
        pod.metadata().creationTimestamp().orElse(Instant.EPOCH),
        pod.terminating(),
        pod.deletedWithoutGrace(),
        pod.tolerations());
  }

  /** Whether deleting it once more would change nothing. */
  boolean isBeyondHelp() {
    return held && phase.finished();
  }

  List<Toleration> readTolerations() {
    return Toleration.list(tolerations);
  }
}
