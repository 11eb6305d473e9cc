package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.PodFilters.Candidates;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedFilter;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedScore;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/**
 * Decides which node a pod of a profile goes to: of all nodes that every filter allows, one with
 * the greatest sum of weighted scores. Unlike upstream, no node is left out to save time; instead,
 * what was computed for one pod is used for the next of its class (see {@link ClassScores}).
 *
 * <ol>
 *   <li>A pod that is nominated to a node goes there if it can.
 *   <li>For a pod that can go to a few nodes only, which a filter names, only those are evaluated.
 *   <li>For any other, the scores of its class say what local plugins answer for all nodes, and the
 *       other plugins are asked about the nodes that are left.
 *   <li>A node whose resources are needed for pods that were nominated to it is not feasible.
 * </ol>
 */
public final class Decider {
  private final Cluster cluster;
  private final ProfilePlugins plugins;
  private final RandomGenerator random;
  private final ScoreCache cache;
  private final NonLocalScoring nonLocal;

  /**
   * A decider for the pods of a profile.
   *
   * @param random chooses among nodes that are equally good
   */
  public Decider(Cluster cluster, Profile profile, RandomGenerator random) {
    this.cluster = cluster;
    this.plugins = new ProfilePlugins(profile);
    this.random = random;
    this.cache = new ScoreCache(plugins, cluster, ScoreCache.MAX_CELLS);
    this.nonLocal = new NonLocalScoring(cluster);
  }

  public Decision decide(PodInfo pod) {
    NominatedPodsCheck others = new NominatedPodsCheck(plugins.profile(), pod, cluster);
    int nominated = nominatedNode(pod);
    if (nominated >= 0
        && new PodFilters(plugins.profile(), pod, cluster).refusal(nominated) == null
        && others.refusal(nominated) == null) {
      return new Decision.Placed(nominated, 1, 0);
    }
    ClassScores scores = pod.nodeName().isEmpty() ? cache.find(pod) : null;
    if (scores == null) {
      PodFilters filters = new PodFilters(plugins.profile(), pod, cluster);
      Candidates candidates = filters.candidates();
      if (candidates != null) {
        return new CandidateDecider(plugins, pod, cluster)
            .decide(filters, candidates, others, random);
      }
      scores = cache.compute(pod);
    }
    return decide(pod, scores, others);
  }

  private int nominatedNode(PodInfo pod) {
    String name = cluster.nominations().nodeOf(pod);
    return name.isEmpty() ? -1 : cluster.indexOf(name);
  }

  private Decision decide(PodInfo pod, ClassScores local, NominatedPodsCheck others) {
    List<PreparedFilter> filters = plugins.nonLocalFilters(pod, cluster);
    List<PreparedScore> scores = plugins.nonLocalScores(pod, cluster);
    boolean further = !filters.isEmpty() || !scores.isEmpty() || !local.ownNormalized().isEmpty();
    SortedMap<Integer, Refusal> forNominated = Collections.emptySortedMap();
    if (further) {
      forNominated = nonLocal.begin(local, filters, others);
      nonLocal.addScores(local.ownNormalized());
      nonLocal.addScores(scores);
    }
    int[] totals = further ? nonLocal.totals() : local.totals();
    int greatest = NodePicker.greatest(totals, cluster.limit());
    if (greatest < 0) {
      return unschedulable(pod, local, filters, forNominated);
    }
    int node = NodePicker.pick(totals, cluster.limit(), greatest, random);
    return new Decision.Placed(node, further ? nonLocal.feasible() : local.feasible(), greatest);
  }

  private Decision unschedulable(
      PodInfo pod,
      ClassScores local,
      List<PreparedFilter> filters,
      SortedMap<Integer, Refusal> forNominated) {
    DiagnosisBuilder builder = new DiagnosisBuilder(plugins.profile(), pod, cluster, forNominated);
    boolean inOrder = filters.stream().allMatch(filter -> filter.position() > local.lastPosition());
    return new Decision.Unschedulable(
        inOrder ? builder.fromScores(local, filters) : builder.fromEveryNode());
  }
}
