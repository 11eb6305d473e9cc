package dev.berth.scheduler.preemption;

import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Which pods have to leave a node so that another can be there. First all of lower priority are
 * removed; if the pod fits then, as many as possible are reprieved: those whose eviction would
 * violate a budget before the others, and the more important before the less.
 *
 * <p>Whether an eviction would violate a budget is counted as if all of them were evicted, the most
 * important first: a budget that allows two disruptions keeps the third. Pods whose eviction was
 * already allowed are not counted. As upstream has it, a budget that selects everything, and a pod
 * without labels, have nothing to do with each other or with anybody.
 */
final class VictimChoice {
  private final Budgets budgets;
  private boolean lookedAtBudgets;

  VictimChoice(Budgets budgets) {
    this.budgets = budgets;
  }

  /** To be called before another choice. */
  void reset() {
    lookedAtBudgets = false;
  }

  /** Whether the choice might be another one if budgets allowed more or less. */
  boolean lookedAtBudgets() {
    return lookedAtBudgets;
  }

  NodeOutcome choose(PodInfo pod, List<PodInfo> onNode, NodeTrial trial) {
    List<PotentialVictim> potential = new ArrayList<>();
    for (PodInfo other : onNode) {
      if (other.priority() < pod.priority()) {
        potential.add(PotentialVictim.of(other));
      }
    }
    if (potential.isEmpty()) {
      return NodeOutcome.NO_VICTIMS;
    }
    potential.forEach(other -> trial.remove(other.pod()));
    if (!trial.fits()) {
      Refusal refusal = trial.refusal();
      return new NodeOutcome.Refused(refusal == null ? List.of() : refusal.messages());
    }
    potential.sort(PotentialVictim.BY_IMPORTANCE);
    List<PotentialVictim> violating = new ArrayList<>();
    List<PotentialVictim> others = new ArrayList<>();
    divide(potential, violating, others);
    List<PotentialVictim> victims = new ArrayList<>();
    reprieve(violating, trial, victims);
    int violations = victims.size();
    reprieve(others, trial, victims);
    if (victims.isEmpty()) {
      return NodeOutcome.FITS;
    }
    victims.sort(PotentialVictim.BY_IMPORTANCE);
    return NodeOutcome.Candidate.of(victims, violations);
  }

  private static void reprieve(
      List<PotentialVictim> potential, NodeTrial trial, List<PotentialVictim> victims) {
    for (PotentialVictim one : potential) {
      trial.add(one.pod());
      if (!trial.fits()) {
        trial.remove(one.pod());
        victims.add(one);
      }
    }
  }

  /** Divides pods into those whose eviction would violate a budget and the others, in order. */
  private void divide(
      List<PotentialVictim> all, List<PotentialVictim> violating, List<PotentialVictim> others) {
    IdentityHashMap<PodDisruptionBudgetView, Long> allowed = new IdentityHashMap<>();
    for (PotentialVictim one : all) {
      boolean violates = false;
      for (PodDisruptionBudgetView budget : budgets.in(one.pod().view().namespace())) {
        if (concerns(budget, one.pod())) {
          lookedAtBudgets = true;
          if (!budget.status().disruptedPods().containsKey(one.pod().view().name())) {
            long left =
                allowed.merge(
                    budget, budget.status().disruptionsAllowed() - 1, (known, _) -> known - 1);
            violates |= left < 0;
          }
        }
      }
      (violates ? violating : others).add(one);
    }
  }

  private static boolean concerns(PodDisruptionBudgetView budget, PodInfo pod) {
    return !pod.labels().isEmpty()
        && !budget.selector().selectsEverything()
        && budget.selects(pod.view());
  }
}
