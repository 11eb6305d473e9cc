package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.node.NodeTaints;
import dev.berth.policy.pod.Qos;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodePropertyPlugin;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at the conditions of nodes while nobody turns them into taints ({@code
 * TaintNodesByCondition=false}), as the scheduler of older documents does. A node gets no pods
 * while it is not ready, has no network, or is short of disk or process numbers; one that is short
 * of memory gets none that request nothing. Pods that would tolerate the taint are not kept away,
 * so that those of DaemonSets are where they should be.
 */
public final class NodeConditionsCheck implements NodePropertyPlugin {
  public static final String NAME = "NodeConditionsCheck";

  private static final Map<String, String> MESSAGES =
      Map.of(
          WellKnownTaints.NOT_READY, "node(s) were not ready",
          WellKnownTaints.UNREACHABLE, "node(s) were not ready",
          WellKnownTaints.NETWORK_UNAVAILABLE, "node(s) had unavailable network",
          WellKnownTaints.MEMORY_PRESSURE, "node(s) had memory pressure",
          WellKnownTaints.DISK_PRESSURE, "node(s) had disk pressure",
          WellKnownTaints.PID_PRESSURE, "node(s) had pid pressure");

  private final TolerationRules rules;

  public NodeConditionsCheck(TolerationRules rules) {
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
        ClusterEventKind.NODE_CONDITIONS_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return event instanceof ClusterEvent.PodEvent changed
        ? changed.changesTolerations()
        : NodePropertyPlugin.super.mayHelp(event, pod, cluster);
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return messages(pod, node.view()).isEmpty();
  }

  /** What is wrong with a node for a pod. Whether it is cordoned is {@link NodeUnschedulable}'s. */
  private List<String> messages(PodInfo pod, NodeView node) {
    return NodeTaints.problems(node).stream()
        .filter(problem -> MESSAGES.containsKey(problem.key()))
        .filter(problem -> !toleratesProblem(pod, problem))
        .map(problem -> MESSAGES.getOrDefault(problem.key(), problem.key()))
        .toList();
  }

  private boolean toleratesProblem(PodInfo pod, Taint problem) {
    return rules.tolerates(pod.view().spec().tolerations(), problem)
        || (problem.key().equals(WellKnownTaints.MEMORY_PRESSURE)
            && Qos.of(pod.view().spec()) != QosClass.BEST_EFFORT);
  }

  @Override
  public NodeFilter filter(PodInfo pod, Cluster cluster) {
    return new NodeFilter() {
      @Override
      public boolean allows(int node) {
        return admits(pod, cluster.node(node), cluster);
      }

      @Override
      public Refusal refusal(int node) {
        return new Unfit(messages(pod, cluster.node(node).view()));
      }

      @Override
      public PodInfluence podInfluence() {
        return PodInfluence.NONE;
      }
    };
  }

  /** The node's conditions are against it. */
  private record Unfit(List<String> messages) implements Refusal {
    @Override
    public String plugin() {
      return NAME;
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }
}
