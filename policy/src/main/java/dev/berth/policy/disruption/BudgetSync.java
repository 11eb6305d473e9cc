package dev.berth.policy.disruption;

import dev.berth.model.disruption.PodDisruptionBudgetView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
   * @param doubtfulPods pods that should be gone by now, of which the server is to be asked whether
   *     they are; until it says no, they count as gone
   * @param recheck when the count changes though nothing happens
   */
  record Counted(
      PodDisruptionBudgetView.Status status,
      List<String> unmanagedPods,
      List<String> notDeletedPods,
      List<String> doubtfulPods,
      Optional<Instant> recheck)
      implements BudgetSync {}

  /** The status cannot be known. Until it can, no disruption is allowed. */
  record Failed(PodDisruptionBudgetView.Status status, String message) implements BudgetSync {}

  /** The status, whether it is known or not. */
  PodDisruptionBudgetView.Status status();

  /** Whether the scales of the pods' controllers matter to a budget. */
  static boolean needsScales(PodDisruptionBudgetView budget) {
    return BudgetArithmetic.needsScales(budget);
  }

  /**
   * Counts.
   *
   * @param pods the pods that the budget selects
   * @param scales of the controllers of these pods, by the UID that the pods name; asked for only
   *     if the budget {@link #needsScales}
   * @param confirmed names of pods that were doubtful and that the server said are still there
   */
  static BudgetSync of(
      PodDisruptionBudgetView budget,
      List<CountedPod> pods,
      Map<String, ControllerScale> scales,
      Set<String> confirmed,
      Instant now) {
    PodDisruptionBudgetView.Status before = budget.status();
    return switch (BudgetArithmetic.of(budget, pods, scales)) {
      case BudgetArithmetic.Unknown(String why) ->
          new Failed(BudgetConditions.syncFailed(before, why, now), why);
      case BudgetArithmetic.Expected expected -> {
        DisruptedPods disrupted = DisruptedPods.of(before.disruptedPods(), pods, confirmed, now);
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
            disrupted.doubtful(),
            disrupted.recheck());
      }
    };
  }
}
