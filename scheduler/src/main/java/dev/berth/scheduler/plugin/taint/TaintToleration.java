package dev.berth.scheduler.plugin.taint;

import dev.berth.model.core.Taint;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.List;
import java.util.Set;

/**
 * Taints that a pod does not tolerate keep it off a node, or speak against the node if their effect
 * is PreferNoSchedule. Many nodes have the same taints, so a pod is compared with each set of
 * taints once.
 */
public final class TaintToleration implements FilterPlugin, ScorePlugin {
  public static final String NAME = "TaintToleration";

  private final TolerationRules rules;

  public TaintToleration(TolerationRules rules) {
    this.rules = rules;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> wakes() {
    return Set.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_TAINTS_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public NodeFilter filter(PodInfo pod, Cluster cluster) {
    return new Filter(cluster, answers(pod, cluster));
  }

  @Override
  public NodeScore score(PodInfo pod, Cluster cluster) {
    return new Score(cluster, answers(pod, cluster));
  }

  private TaintAnswers answers(PodInfo pod, Cluster cluster) {
    return new TaintAnswers(pod.view().spec().tolerations(), rules, cluster);
  }

  private record Filter(Cluster cluster, TaintAnswers answers) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return answers.refusal(cluster.taintSet(node)) == null;
    }

    @Override
    public Refusal refusal(int node) {
      Taint taint = answers.refusal(cluster.taintSet(node));
      if (taint == null) {
        throw new IllegalStateException("All taints of node " + node + " are tolerated");
      }
      return new Untolerated(taint);
    }
  }

  private record Score(Cluster cluster, TaintAnswers answers) implements NodeScore {
    @Override
    public long score(int node) {
      return answers.avoidance(cluster.taintSet(node));
    }

    @Override
    public Normalization normalization() {
      return Normalization.SCALED_REVERSED;
    }
  }

  /** The first of the node's taints that the pod does not tolerate. */
  public record Untolerated(Taint taint) implements Refusal {
    @Override
    public String plugin() {
      return NAME;
    }

    @Override
    public List<String> messages() {
      return List.of("node(s) had untolerated taint {" + taint.key() + ": " + taint.value() + "}");
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }
}
