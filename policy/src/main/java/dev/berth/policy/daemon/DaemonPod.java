package dev.berth.policy.daemon;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;

/**
 * A DaemonSet's pod, as far as its controller cares.
 *
 * @param node the one that it is on or meant for; empty if that cannot be told
 * @param bound whether it is on it
 * @param revision the hash of the template that it was made from
 * @param reason why it failed
 * @param leaving whether its deletion was asked for
 * @param readySince {@link Instant#MAX} if it is not ready
 */
public record DaemonPod(
    String name,
    String uid,
    String node,
    boolean bound,
    String revision,
    PodPhase phase,
    String reason,
    boolean leaving,
    Instant created,
    Instant readySince) {

  /** Upstream's order: those that are on their node first, then the oldest. */
  static final Comparator<DaemonPod> OLDEST_FIRST =
      Comparator.comparing((DaemonPod pod) -> !pod.bound)
          .thenComparing(DaemonPod::created)
          .thenComparing(DaemonPod::name);

  public static DaemonPod read(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    Metadata metadata = pod.metadata();
    return new DaemonPod(
        metadata.name(),
        metadata.uid(),
        nodeOf(pod),
        pod.isBound(),
        revisionOf(metadata),
        pod.phase(),
        pod.reason(),
        metadata.isBeingDeleted(),
        metadata.creationTimestamp().orElse(Instant.EPOCH),
        pod.condition(Condition.READY).map(DaemonPod::readySince).orElse(Instant.MAX));
  }

  /** The node that a pod is on, or that its affinity is for; empty if that cannot be told. */
  public static String nodeOf(PodTree pod) {
    return pod.isBound()
        ? pod.nodeName()
        : pod.nodeAffinity().flatMap(DaemonPodSpec::namedNode).orElse("");
  }

  /** The hash of the template that a pod was made from. */
  public static String revisionOf(Metadata pod) {
    return pod.label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse("");
  }

  private static Instant readySince(Condition ready) {
    if (ready.status() != ConditionStatus.TRUE) {
      return Instant.MAX;
    }
    return ready.lastTransitionTime() == null ? Instant.EPOCH : ready.lastTransitionTime();
  }

  /** The same pod on its way out. */
  public DaemonPod left() {
    return new DaemonPod(
        name, uid, node, bound, revision, phase, reason, true, created, readySince);
  }

  boolean isReady() {
    return !readySince.equals(Instant.MAX);
  }
}
