package dev.berth.sim.forecast;

import dev.berth.model.disruption.PodDisruptionBudgetView;

/** A disruption budget, and how many of its pods are healthy as the forecast goes on. */
final class BudgetTally {
  final PodDisruptionBudgetView budget;
  long healthy;
  final Low low = new Low();

  BudgetTally(PodDisruptionBudgetView budget) {
    this.budget = budget;
  }

  /** The budget as the disruption controller would have counted it now. */
  PodDisruptionBudgetView now() {
    PodDisruptionBudgetView.Status status = budget.status();
    long allowed = status.expectedPods() <= 0 ? 0 : Math.max(0, healthy - status.desiredHealthy());
    return new PodDisruptionBudgetView(
        budget.namespace(),
        budget.name(),
        budget.generation(),
        budget.selector(),
        budget.minAvailable(),
        budget.maxUnavailable(),
        budget.unhealthyPodEvictionPolicy(),
        new PodDisruptionBudgetView.Status(
            budget.generation(),
            allowed,
            healthy,
            status.desiredHealthy(),
            status.expectedPods(),
            status.disruptedPods(),
            status.conditions()));
  }
}
