package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.RejectionBackoff;
import java.time.Duration;
import java.time.Instant;

/**
 * A pod of a StatefulSet.
 *
 * @param leaving whether its deletion was asked for, as far as anybody knows
 * @param readySince {@link Instant#MAX} if it does not run or is not ready
 */
public record StatefulPod(
    JsonObject tree,
    long ordinal,
    String revision,
    PodPhase phase,
    boolean leaving,
    Instant readySince) {

  public static StatefulPod read(JsonObject tree, StatefulSetView set, boolean leaving) {
    PodTree pod = new PodTree(tree);
    Metadata metadata = pod.metadata();
    PodPhase phase = pod.phase();
    boolean isReady = phase == PodPhase.RUNNING && pod.ready();
    return new StatefulPod(
        tree,
        set.ordinal(metadata.name()),
        metadata.label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse(""),
        phase,
        leaving || metadata.isBeingDeleted(),
        isReady ? pod.readySince().orElse(Instant.EPOCH) : Instant.MAX);
  }

  String uid() {
    return Metadata.of(tree).uid();
  }

  /** Whether its node rejected it. */
  boolean isRejected() {
    return RejectionBackoff.isRejected(new PodTree(tree));
  }

  boolean isReady() {
    return !readySince.equals(Instant.MAX);
  }

  /** From when on it is available, unless it ceases to be ready. */
  Instant availableFrom(Duration minReady) {
    return isReady() ? readySince.plus(minReady) : Instant.MAX;
  }

  boolean hasIdentity() {
    Metadata metadata = Metadata.of(tree);
    return metadata
        .label(WellKnownLabels.STATEFUL_SET_POD_NAME)
        .filter(metadata.name()::equals)
        .isPresent();
  }
}
