package dev.berth.policy.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.disruption.PodDisruptionBudgetView.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The condition that says whether a budget allows disruptions. */
final class BudgetConditions {
  static final String DISRUPTION_ALLOWED = PodDisruptionBudgetView.DISRUPTION_ALLOWED;
  static final String SYNC_FAILED = "SyncFailed";

  private BudgetConditions() {}

  /** The status with its condition as its count of allowed disruptions demands. */
  static Status disruptionAllowed(Status status, Instant now) {
    return status.disruptionsAllowed() > 0
        ? with(status, ConditionStatus.TRUE, "SufficientPods", "", now)
        : with(status, ConditionStatus.FALSE, "InsufficientPods", "", now);
  }

  /** The status of a budget that could not be counted. */
  static Status syncFailed(Status status, String message, Instant now) {
    Status none = status.withDisruptions(0, status.disruptedPods());
    return with(none, ConditionStatus.FALSE, SYNC_FAILED, message, now);
  }

  private static Status with(
      Status status, ConditionStatus allowed, String reason, String message, Instant now) {
    Optional<Condition> old = status.condition(DISRUPTION_ALLOWED);
    Instant since =
        old.filter(c -> c.status() == allowed).map(Condition::lastTransitionTime).orElse(now);
    List<Condition> conditions = new ArrayList<>(status.conditions());
    conditions.removeIf(c -> c.type().equals(DISRUPTION_ALLOWED));
    conditions.add(new Condition(DISRUPTION_ALLOWED, allowed, reason, message, null, since));
    return status.withConditions(conditions);
  }
}
