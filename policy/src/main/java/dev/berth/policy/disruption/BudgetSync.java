package dev.berth.policy.disruption;

import dev.berth.model.core.PodDisruptionBudgetView;
import dev.berth.model.core.PodView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a disruption budget's status should say. As many disruptions are allowed as there are more
 * healthy pods than needed; none while no pods are expected, as the first ones may be about to
 * appear.
 */
public sealed interface BudgetSync {

  /**
   * The status is known.
   *
   * @param unmanagedPods pods that nothing manages, so that they are not in the expected count
   * @param notDeletedPods pods whose eviction was allowed long ago and which are still there
   * @param recheck when the count changes though nothing happens
   */
  record Counted(
      PodDisruptionBudgetView.Status status,
      List<String> unmanagedPods,
      List<String> notDeletedPods,
      Optional<Instant> recheck)
      implements BudgetSync {}

  /** The status cannot be known. Until it can, no disruption is allowed. */
  record Failed(PodDisruptionBudgetView.Status status, String message) implements BudgetSync {}

  /**
   * Counts.
   *
   * @param pods the pods that the budget selects
   * @param replicas the number of replicas of each controller of these pods, by its UID
   */
  static BudgetSync of(
      PodDisruptionBudgetView budget, List<PodView> pods, Map<String, Long> replicas, Instant now) {
    PodDisruptionBudgetView.Status before = budget.status();
    return switch (BudgetArithmetic.of(budget, pods, replicas)) {
      case BudgetArithmetic.Unknown(String why) ->
          new Failed(BudgetConditions.syncFailed(before, why, now), why);
      case BudgetArithmetic.Expected expected -> {
        DisruptedPods disrupted = DisruptedPods.of(before.disruptedPods(), pods, now);
        long healthy = disrupted.healthy(pods);
        long allowed = expected.pods() <= 0 ? 0 : Math.max(0, healthy - expected.healthy());
        PodDisruptionBudgetView.Status status =
            new PodDisruptionBudgetView.Status(
                budget.generation(),
                allowed,
                healthy,
                expected.healthy(),
                expected.pods(),
                disrupted.pending(),
                before.conditions());
        yield new Counted(
            BudgetConditions.disruptionAllowed(status, now),
            expected.unmanaged(),
            disrupted.notDeleted(),
            disrupted.recheck());
      }
    };
  }
}
