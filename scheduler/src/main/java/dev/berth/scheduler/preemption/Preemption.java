package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodClass;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.plugin.Profile;
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
 * Decides which pods are preempted for a pod that is unschedulable.
 *
 * <ol>
 *   <li>A pod with {@code preemptionPolicy: Never} preempts nobody; nor does one that fits on its
 *       nominated node as soon as the victims that are terminating there have left.
 *   <li>On each node that refuses the pod for something that its pods may have to do with, the
 *       victims are chosen: {@link VictimChoice}.
 *   <li>The best node is chosen: {@link Candidate}. Unlike upstream, which tries a tenth of the
 *       nodes beginning at a random one, all of them are considered.
 * </ol>
 *
 * <p>Pods of the same or higher priority that are nominated to a node count as being there.
 *
 * <p>Outcomes are kept for the next pod that is alike, since preempting pods come in swarms: only
 * nodes that changed since are tried again. That works where a node's answer depends on that node
 * alone; for a pod with spread constraints or affinity to other pods, every node is tried each
 * time. Owned by the scheduler's loop.
 */
public final class Preemption {
  /** For so many kinds of pods outcomes are kept; each takes a few hundred bytes a node. */
  private static final int MAX_KEPT = 16;

  /** Pods for which the same pods would be preempted, where nodes do not depend on each other. */
  private record Kind(String schedulerName, long priority, PodClass podClass) {
    static Kind of(PodInfo pod) {
      return new Kind(pod.view().spec().schedulerName(), pod.priority(), pod.podClass());
    }
  }

  private final Cluster cluster;
  private final Budgets budgets;
  private final VictimChoice choice;
  private final Map<Kind, NodeOutcomes> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, NodeOutcomes> eldest) {
          return size() > MAX_KEPT;
        }
      };

  public Preemption(Cluster cluster, Budgets budgets) {
    this.cluster = cluster;
    this.budgets = budgets;
    this.choice = new VictimChoice(budgets);
  }

  public PreemptionDecision decide(PodInfo pod, Profile profile) {
    if (pod.neverPreempts()) {
      return new NotEligible("not eligible due to preemptionPolicy=Never.");
    }
    PodFilters filters = new PodFilters(profile, pod, cluster);
    int nominated = nominatedNode(pod);
    if (nominated >= 0 && fitsOnceVictimsLeave(pod, nominated, filters)) {
      return new NotEligible("not eligible due to a terminating pod on the nominated node.");
    }
    NodeOutcomes outcomes =
        filters.areLocal()
            ? kept.computeIfAbsent(Kind.of(pod), _ -> new NodeOutcomes())
            : new NodeOutcomes();
    refresh(outcomes, pod, filters);
    return nominated >= 0
        ? resultForNominated(outcomes, pod, nominated, filters)
        : result(outcomes, pod);
  }

  private int nominatedNode(PodInfo pod) {
    return cluster.indexOf(cluster.nominations().nodeOf(pod));
  }

  /**
   * Whether pods of lower priority are about to leave a pod's nominated node, and it fits there
   * once they have. Unlike upstream, it does not matter who deleted them, and the pod does not wait
   * for them if one of higher priority has taken their room.
   */
  private boolean fitsOnceVictimsLeave(PodInfo pod, int node, PodFilters filters) {
    List<PodInfo> leaving =
        cluster.pods(node).stream()
            .filter(other -> other.priority() < pod.priority() && other.view().terminating())
            .toList();
    if (leaving.isEmpty()) {
      return false;
    }
    List<PodInfo> nominated = cluster.nominations().before(pod, cluster.node(node).name());
    if (filters.onlyRequestsMatter()) {
      return fitsWithout(leaving, arithmeticTrial(pod, node, filters, nominated));
    }
    try (FilterTrial trial = new FilterTrial(cluster, filters, node, nominated)) {
      return fitsWithout(leaving, trial);
    }
  }

  private static boolean fitsWithout(List<PodInfo> leaving, NodeTrial trial) {
    leaving.forEach(trial::remove);
    return trial.fits();
  }

  private NodeTrial arithmeticTrial(
      PodInfo pod, int node, PodFilters filters, List<PodInfo> nominated) {
    Refusal refusal = filters.refusal(node);
    Refusal regardless = refusal == null ? null : filters.refusalRegardlessOfPods(node);
    return new ArithmeticTrial(cluster, pod, node, nominated, regardless);
  }

  private void refresh(NodeOutcomes outcomes, PodInfo pod, PodFilters filters) {
    BitSet stale = outcomes.takeStale(cluster, budgets, filters);
    for (int node = stale.nextSetBit(0); node >= 0; node = stale.nextSetBit(node + 1)) {
      if (cluster.exists(node)) {
        List<PodInfo> nominated =
            cluster.nominations().from(pod.priority(), cluster.node(node).name());
        NodeOutcome outcome = outcome(pod, node, filters, nominated);
        outcomes.set(node, outcome, choice.lookedAtBudgets());
      } else {
        outcomes.set(node, null, false);
      }
    }
  }

  /** The result for a pod that is nominated itself, and so is not in its own way on that node. */
  private PreemptionDecision resultForNominated(
      NodeOutcomes outcomes, PodInfo pod, int node, PodFilters filters) {
    NodeOutcome forOthers = outcomes.get(node);
    boolean budgeted = outcomes.isBudgeted(node);
    List<PodInfo> others = cluster.nominations().before(pod, cluster.node(node).name());
    outcomes.set(node, outcome(pod, node, filters, others), false);
    PreemptionDecision result = result(outcomes, pod);
    outcomes.set(node, forOthers, budgeted);
    return result;
  }

  private NodeOutcome outcome(PodInfo pod, int node, PodFilters filters, List<PodInfo> nominated) {
    choice.reset();
    return filters.onlyRequestsMatter()
        ? calculate(pod, node, filters, nominated)
        : dryRun(pod, node, filters, nominated);
  }

  private NodeOutcome calculate(
      PodInfo pod, int node, PodFilters filters, List<PodInfo> nominated) {
    Refusal refusal = filters.refusal(node);
    if (refusal != null && !refusal.preemptionMayHelp()) {
      return NodeOutcome.NOT_HELPFUL;
    }
    NodeTrial trial = arithmeticTrial(pod, node, filters, nominated);
    return trial.fits() ? NodeOutcome.FITS : choice.choose(pod, cluster.pods(node), trial);
  }

  private NodeOutcome dryRun(PodInfo pod, int node, PodFilters filters, List<PodInfo> nominated) {
    try (FilterTrial trial = new FilterTrial(cluster, filters, node, nominated)) {
      Refusal refusal = trial.refusal();
      if (refusal == null) {
        return NodeOutcome.FITS;
      }
      return refusal.preemptionMayHelp()
          ? choice.choose(pod, List.copyOf(cluster.pods(node)), trial)
          : NodeOutcome.NOT_HELPFUL;
    }
  }

  private PreemptionDecision result(NodeOutcomes outcomes, PodInfo pod) {
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
