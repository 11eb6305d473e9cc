package dev.berth.policy.pod;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodView;
import java.time.Instant;
import java.util.Optional;

/** The readiness of pods whose node was lost. */
public final class PodReadiness {
  private PodReadiness() {}

  /** The Ready condition that says no longer so; empty if the pod is not ready anyway. */
  public static Optional<Condition> lost(PodView pod, Instant now) {
    return pod.condition(Condition.READY)
        .filter(c -> c.status() == ConditionStatus.TRUE)
        .map(c ->
            new Condition(c.type(), ConditionStatus.FALSE, c.reason(), c.message(), null, now));
  }
}
