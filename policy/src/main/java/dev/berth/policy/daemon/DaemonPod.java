package dev.berth.policy.daemon;

import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

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

  public static DaemonPod read(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    JsonObject spec = pod.object("spec");
    JsonObject status = pod.object("status");
    String bound = spec.text("nodeName", "");
    return new DaemonPod(
        metadata.name(),
        metadata.uid(),
        bound.isEmpty() ? intended(spec) : bound,
        !bound.isEmpty(),
        metadata.label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse(""),
        PodPhase.of(status.text("phase", "")),
        status.text("reason", ""),
        metadata.isBeingDeleted(),
        metadata.creationTimestamp().orElse(Instant.EPOCH),
        readySince(status));
  }

  /** The node in its affinity, read without the rest of its specification. */
  private static String intended(JsonObject spec) {
    JsonObject affinity = spec.object("affinity").object("nodeAffinity");
    return affinity.isEmpty()
        ? ""
        : DaemonPodSpec.namedNode(NodeAffinity.read(affinity)).orElse("");
  }

  private static Instant readySince(JsonObject status) {
    Optional<JsonObject> ready = Conditions.find(status.array("conditions"), Condition.READY);
    if (ready.isEmpty() || !ready.get().text("status", "").equals(Conditions.TRUE)) {
      return Instant.MAX;
    }
    String since = ready.get().text("lastTransitionTime", "");
    return since.isEmpty() ? Instant.EPOCH : Times.parse(since);
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
