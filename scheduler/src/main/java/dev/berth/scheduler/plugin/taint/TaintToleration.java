package dev.berth.scheduler.plugin.taint;

import dev.berth.model.core.Taint;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodePropertyPlugin;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.List;
import java.util.Set;

/**
 * Taints that a pod does not tolerate keep it off a node, or speak against the node if their effect
 * is PreferNoSchedule. Many nodes have the same taints, so a pod is compared with each set of
 * taints once.
 */
public final class TaintToleration implements NodePropertyPlugin, ScorePlugin {
  public static final String NAME = "TaintToleration";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME, ExtensionPoint.FILTER, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE)
          .weight(3)
          .factory((_, tolerations) -> new TaintToleration(tolerations));

  private final TolerationRules rules;

  public TaintToleration(TolerationRules rules) {
    this.rules = rules;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_TAINTS_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return event instanceof PodEvent changed
        ? changed.changesTolerations()
        : NodePropertyPlugin.super.mayHelp(event, pod, cluster);
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return RemainingTaints.of(node.view().taints(), pod.view().spec().tolerations(), rules)
        .refusal()
        .isEmpty();
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public NodeFilter filter(PodInfo pod, Cluster cluster) {
    return new Filter(cluster, verdicts(pod, cluster));
  }

  @Override
  public NodeScore score(PodInfo pod, Cluster cluster) {
    return new Score(cluster, verdicts(pod, cluster));
  }

  private TaintVerdicts verdicts(PodInfo pod, Cluster cluster) {
    return new TaintVerdicts(pod.view().spec().tolerations(), rules, cluster);
  }

  private record Filter(Cluster cluster, TaintVerdicts verdicts) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return verdicts.refusal(cluster.taintSet(node)) == null;
    }

    @Override
    public Refusal refusal(int node) {
      Taint taint = verdicts.refusal(cluster.taintSet(node));
      if (taint == null) {
        throw new IllegalStateException("All taints of node " + node + " are tolerated");
      }
      return new Untolerated(taint);
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }

  private record Score(Cluster cluster, TaintVerdicts verdicts) implements NodeScore {
    @Override
    public long score(int node) {
      return verdicts.avoidance(cluster.taintSet(node));
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
      return List.of("node(s) had untolerated taint(s)");
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }
}
