package dev.berth.scheduler.preemption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodView;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodClass;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.decision.Profile;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.preemption.NodeOutcome.Candidate;
import dev.berth.scheduler.preemption.PreemptionDecision.NoHelp;
import dev.berth.scheduler.preemption.PreemptionDecision.NotEligible;
import dev.berth.scheduler.preemption.PreemptionDecision.Preempt;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides who makes way for a pod that no node allows.
 *
 * <ol>
 *   <li>A pod with {@code preemptionPolicy: Never} preempts nobody; nor does one for whom pods are
 *       already leaving the node that it was promised, unless that node has become useless to it.
 *   <li>Of each node that refuses the pod for something that pods on it may have to do with, the
 *       victims are found: {@link VictimChoice}.
 *   <li>The best node is chosen: {@link Candidate}. Unlike upstream, which tries a tenth of the
 *       nodes beginning at a random one, all of them are considered.
 * </ol>
 *
 * <p>Pods of the same or higher priority that were promised a node count as being there.
 *
 * <p>What was found is kept for the next pod that is alike, since pods that preempt come in swarms:
 * then only nodes that changed since are looked at again. That works where a node's answer depends
 * on that node alone; a pod that is spread, or that other pods attract or repel, has every node
 * looked at each time. Owned by the scheduler's loop.
 */
public final class Preemption {
  /** As many kinds of pods are remembered; each takes a few hundred bytes a node. */
  private static final int REMEMBERED = 16;

  /** Pods for whom the same pods would make way, where nodes do not depend on each other. */
  private record Kind(String schedulerName, long priority, PodClass podClass) {
    static Kind of(PodInfo pod) {
      return new Kind(pod.view().spec().schedulerName(), pod.priority(), pod.podClass());
    }
  }

  private final Cluster cluster;
  private final Budgets budgets;
  private final VictimChoice choice;
  private final Map<Kind, Outcomes> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Outcomes> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Preemption(Cluster cluster, Budgets budgets) {
    this.cluster = cluster;
    this.budgets = budgets;
    this.choice = new VictimChoice(budgets);
  }

  public PreemptionDecision decide(PodInfo pod, Profile profile) {
    if (pod.tree().object("spec").text("preemptionPolicy", "").equals("Never")) {
      return new NotEligible("not eligible due to preemptionPolicy=Never.");
    }
    PodFilters filters = new PodFilters(profile, pod, cluster);
    int promised = promisedNode(pod);
    if (promised >= 0 && isBeingCleared(pod, promised, filters)) {
      return new NotEligible("not eligible due to a terminating pod on the nominated node.");
    }
    Outcomes outcomes =
        filters.local()
            ? remembered.computeIfAbsent(Kind.of(pod), _ -> new Outcomes())
            : new Outcomes();
    refresh(outcomes, pod, filters);
    return promised >= 0 && !cluster.nominations().nodeOf(pod).isEmpty()
        ? withoutItself(outcomes, pod, promised, filters)
        : result(outcomes, pod);
  }

  private int promisedNode(PodInfo pod) {
    String node = cluster.nominations().nodeOf(pod);
    return cluster.indexOf(node.isEmpty() ? pod.nominatedNode() : node);
  }

  /** Whether pods are on their way out of the node that a pod was promised, for its sake. */
  private boolean isBeingCleared(PodInfo pod, int node, PodFilters filters) {
    Refusal refusal = filters.refusal(node);
    if (refusal != null && !refusal.preemptionMayHelp()) {
      return false;
    }
    return cluster.pods(node).stream()
        .anyMatch(other -> other.priority() < pod.priority() && isPreempted(other.view()));
  }

  private static boolean isPreempted(PodView pod) {
    return pod.terminating()
        && pod.condition(PreemptionAction.DISRUPTION_TARGET)
            .filter(condition -> condition.status() == ConditionStatus.TRUE)
            .map(Condition::reason)
            .filter(PreemptionAction.BY_SCHEDULER::equals)
            .isPresent();
  }

  private void refresh(Outcomes outcomes, PodInfo pod, PodFilters filters) {
    BitSet stale = outcomes.stale(cluster, budgets, filters);
    for (int node = stale.nextSetBit(0); node >= 0; node = stale.nextSetBit(node + 1)) {
      if (cluster.exists(node)) {
        List<PodInfo> promised = promisedTo(pod.priority(), node);
        NodeOutcome outcome = outcome(pod, node, filters, promised);
        outcomes.set(node, outcome, choice.lookedAtBudgets());
      } else {
        outcomes.set(node, null, false);
      }
    }
  }

  /** Who finds room on a node before pods of a priority do. */
  private List<PodInfo> promisedTo(long priority, int node) {
    List<PodInfo> all = cluster.nominations().on(cluster.node(node).name());
    return all.isEmpty()
        ? all
        : all.stream().filter(other -> other.priority() >= priority).toList();
  }

  /** The result for a pod that was promised a node itself, and so is not in its own way there. */
  private PreemptionDecision withoutItself(
      Outcomes outcomes, PodInfo pod, int node, PodFilters filters) {
    NodeOutcome forOthers = outcomes.get(node);
    boolean budgeted = outcomes.isBudgeted(node);
    List<PodInfo> promised = cluster.nominations().before(pod, cluster.node(node).name());
    outcomes.set(node, outcome(pod, node, filters, promised), false);
    PreemptionDecision result = result(outcomes, pod);
    outcomes.set(node, forOthers, budgeted);
    return result;
  }

  private NodeOutcome outcome(PodInfo pod, int node, PodFilters filters, List<PodInfo> promised) {
    choice.forget();
    return filters.onlyRoom()
        ? counted(pod, node, filters, promised)
        : tried(pod, node, filters, promised);
  }

  private NodeOutcome counted(PodInfo pod, int node, PodFilters filters, List<PodInfo> promised) {
    Refusal refusal = filters.refusal(node);
    if (refusal != null && !refusal.preemptionMayHelp()) {
      return NodeOutcome.NOT_HELPFUL;
    }
    Refusal regardless = refusal == null ? null : filters.refusalRegardlessOfPods(node);
    NodeTrial room = new ArithmeticTrial(cluster, pod, node, promised, regardless);
    return room.fits() ? NodeOutcome.HAS_ROOM : choice.choose(pod, cluster.pods(node), room);
  }

  private NodeOutcome tried(PodInfo pod, int node, PodFilters filters, List<PodInfo> promised) {
    try (FilterTrial room = new FilterTrial(cluster, filters, node, promised)) {
      Refusal refusal = room.firstRefusal();
      if (refusal == null) {
        return NodeOutcome.HAS_ROOM;
      }
      return refusal.preemptionMayHelp()
          ? choice.choose(pod, List.copyOf(cluster.pods(node)), room)
          : NodeOutcome.NOT_HELPFUL;
    }
  }

  private PreemptionDecision result(Outcomes outcomes, PodInfo pod) {
    int best = outcomes.best();
    if (best < 0 || !(outcomes.get(best) instanceof Candidate candidate)) {
      return new NoHelp(cluster.size(), outcomes.counts());
    }
    String node = cluster.node(best).name();
    List<PodInfo> below =
        cluster.nominations().on(node).stream()
            .filter(other -> other.priority() < pod.priority())
            .toList();
    return new Preempt(node, candidate.victims(), candidate.violations(), below);
  }
}
