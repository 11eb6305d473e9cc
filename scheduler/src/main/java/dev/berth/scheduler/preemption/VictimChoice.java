package dev.berth.scheduler.preemption;

import dev.berth.model.core.PodDisruptionBudgetView;
import dev.berth.scheduler.cluster.PodInfo;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Which pods have to leave a node so that another can come. First all of lower priority are taken
 * off; if the pod fits then, as many as possible are given back: those whose eviction would violate
 * a budget before the others, and the more important before the less.
 *
 * <p>Whether an eviction would violate a budget is counted as if all of them were evicted, the most
 * important first: a budget that allows two disruptions keeps the third. Pods whose eviction was
 * already allowed are not counted. As upstream has it, a budget that selects everything, and a pod
 * without labels, have nothing to do with each other or with anybody.
 */
final class VictimChoice {
  private final Budgets budgets;
  private boolean anyUnderBudget;

  VictimChoice(Budgets budgets) {
    this.budgets = budgets;
  }

  /** Before another choice. */
  void forget() {
    anyUnderBudget = false;
  }

  /** Whether the choice might be another one if budgets allowed more or less. */
  boolean lookedAtBudgets() {
    return anyUnderBudget;
  }

  NodeOutcome choose(PodInfo pod, List<PodInfo> there, NodeTrial room) {
    List<Potential> potential = new ArrayList<>();
    for (PodInfo other : there) {
      if (other.priority() < pod.priority()) {
        potential.add(Potential.of(other));
      }
    }
    if (potential.isEmpty()) {
      return NodeOutcome.NO_VICTIMS;
    }
    potential.forEach(other -> room.take(other.pod()));
    if (!room.fits()) {
      List<String> reasons = room.refusal();
      return new NodeOutcome.Refused(reasons == null ? List.of() : reasons);
    }
    potential.sort(Potential.BY_IMPORTANCE);
    List<Potential> kept = new ArrayList<>();
    List<Potential> others = new ArrayList<>();
    divide(potential, kept, others);
    List<Potential> victims = new ArrayList<>();
    reprieve(kept, room, victims);
    int violations = victims.size();
    reprieve(others, room, victims);
    if (victims.isEmpty()) {
      return NodeOutcome.HAS_ROOM;
    }
    victims.sort(Potential.BY_IMPORTANCE);
    return NodeOutcome.Candidate.of(victims, violations);
  }

  private static void reprieve(List<Potential> potential, NodeTrial room, List<Potential> victims) {
    for (Potential one : potential) {
      room.giveBack(one.pod());
      if (!room.fits()) {
        room.take(one.pod());
        victims.add(one);
      }
    }
  }

  /** Divides pods into those that a budget would keep and the others; keeps their order. */
  private void divide(List<Potential> all, List<Potential> kept, List<Potential> others) {
    IdentityHashMap<PodDisruptionBudgetView, Long> allowed = new IdentityHashMap<>();
    for (Potential one : all) {
      boolean violates = false;
      for (PodDisruptionBudgetView budget : budgets.in(one.pod().view().namespace())) {
        if (concerns(budget, one.pod())) {
          anyUnderBudget = true;
          if (!budget.status().disruptedPods().containsKey(one.pod().view().name())) {
            long left =
                allowed.merge(
                    budget, budget.status().disruptionsAllowed() - 1, (known, _) -> known - 1);
            violates |= left < 0;
          }
        }
      }
      (violates ? kept : others).add(one);
    }
  }

  private static boolean concerns(PodDisruptionBudgetView budget, PodInfo pod) {
    return !pod.labels().isEmpty()
        && !budget.selector().selectsEverything()
        && budget.selects(pod.view());
  }
}
