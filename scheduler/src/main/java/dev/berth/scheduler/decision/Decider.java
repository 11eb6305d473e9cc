package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.decision.NodeCheck.Candidates;
import dev.berth.scheduler.plugin.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/**
 * Decides which node a pod of a profile goes to: of all nodes that every filter allows, one with
 * the greatest sum of weighted scores. All nodes are looked at, none is left out to save time;
 * instead, what was found out for one pod is used for the next of its class (see {@link
 * ClassScores}).
 *
 * <ol>
 *   <li>A pod that is nominated to a node goes there if it can.
 *   <li>A pod that can go to a few nodes only, which a filter names, has those looked at.
 *   <li>For any other, the sheet of its class says what local plugins think of all nodes, and the
 *       other plugins are asked about those that are left.
 *   <li>A node whose room is needed for pods that were nominated to it is not allowed.
 * </ol>
 */
public final class Decider {
  private final Cluster cluster;
  private final Plan plan;
  private final RandomGenerator random;
  private final ScoreCache sheets;
  private final NonLocalScoring wide;

  /**
   * A decider for the pods of a profile.
   *
   * @param random chooses among nodes that are equally good
   */
  public Decider(Cluster cluster, Profile profile, RandomGenerator random) {
    this.cluster = cluster;
    this.plan = new Plan(profile);
    this.random = random;
    this.sheets = new ScoreCache(plan, cluster, ScoreCache.MOST_CELLS);
    this.wide = new NonLocalScoring(cluster);
  }

  public Decision decide(PodInfo pod) {
    Reservations reservations = new Reservations(plan.profile(), pod, cluster);
    int nominated = nominatedNode(pod);
    if (nominated >= 0
        && new NodeCheck(plan.profile(), pod, cluster).check(nominated) == null
        && reservations.refusal(nominated) == null) {
      return new Decision.Placed(nominated, 1, 0);
    }
    ClassScores sheet = pod.nodeName().isEmpty() ? sheets.find(pod) : null;
    if (sheet == null) {
      NodeCheck check = new NodeCheck(plan.profile(), pod, cluster);
      Candidates candidates = check.candidates();
      if (candidates != null) {
        return new CandidateDecider(plan, pod, cluster)
            .decide(check, candidates, reservations, random);
      }
      sheet = sheets.make(pod);
    }
    return decide(pod, sheet, reservations);
  }

  private int nominatedNode(PodInfo pod) {
    String known = cluster.nominations().nodeOf(pod);
    String name = known.isEmpty() ? pod.nominatedNode() : known;
    return name.isEmpty() ? -1 : cluster.indexOf(name);
  }

  private Decision decide(PodInfo pod, ClassScores sheet, Reservations reservations) {
    List<Plan.Filter> filters = plan.wideFilters(pod, cluster);
    List<Plan.Score> scores = plan.wideScores(pod, cluster);
    boolean further = !filters.isEmpty() || !scores.isEmpty() || !sheet.ownNormalized().isEmpty();
    SortedMap<Integer, Refusal> reserved = Collections.emptySortedMap();
    if (further) {
      reserved = wide.begin(sheet, filters, reservations);
      wide.addScores(sheet.ownNormalized());
      wide.addScores(scores);
    }
    int[] totals = further ? wide.totals() : sheet.totals();
    int greatest = Choice.greatest(totals, cluster.limit());
    if (greatest < 0) {
      return unschedulable(pod, sheet, filters, reserved);
    }
    int node = Choice.pick(totals, cluster.limit(), greatest, random);
    return new Decision.Placed(node, further ? wide.feasible() : sheet.feasible(), greatest);
  }

  private Decision unschedulable(
      PodInfo pod,
      ClassScores sheet,
      List<Plan.Filter> filters,
      SortedMap<Integer, Refusal> reserved) {
    Explanation explanation = new Explanation(plan.profile(), pod, cluster, reserved);
    boolean inOrder = filters.stream().allMatch(filter -> filter.place() > sheet.lastPlace());
    return new Decision.Unschedulable(
        inOrder ? explanation.bySheet(sheet, filters) : explanation.byNode());
  }
}
