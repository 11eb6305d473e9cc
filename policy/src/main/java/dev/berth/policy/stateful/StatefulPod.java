package dev.berth.policy.stateful;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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

  public static StatefulPod read(JsonObject tree, StatefulSpec spec, boolean leaving) {
    Metadata metadata = Metadata.of(tree);
    JsonObject status = tree.object("status");
    PodPhase phase = PodPhase.of(status.text("phase", ""));
    return new StatefulPod(
        tree,
        spec.ordinal(metadata.name()),
        metadata.label(WellKnownLabels.CONTROLLER_REVISION_HASH).orElse(""),
        phase,
        leaving || metadata.isBeingDeleted(),
        phase == PodPhase.RUNNING ? readySince(status) : Instant.MAX);
  }

  private static Instant readySince(JsonObject status) {
    Optional<JsonObject> ready = Conditions.find(status.array("conditions"), Condition.READY);
    if (ready.isEmpty() || !ready.get().text("status", "").equals(Conditions.TRUE)) {
      return Instant.MAX;
    }
    String since = ready.get().text("lastTransitionTime", "");
    return since.isEmpty() ? Instant.EPOCH : Times.parse(since);
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
