package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodePropertyPlugin;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cordoned nodes get no pods but those that tolerate the taint that says so. */
public final class NodeUnschedulable implements NodePropertyPlugin {
  public static final String NAME = "NodeUnschedulable";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.FILTER)
          .factory((_, tolerations) -> new NodeUnschedulable(tolerations));

  private static final Taint CORDONED =
      Taint.of(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE);

  private final TolerationRules rules;

  public NodeUnschedulable(TolerationRules rules) {
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
        ClusterEventKind.NODE_UNSCHEDULABLE_CHANGED,
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
    return !node.view().unschedulable() || toleratesCordon(pod);
  }

  private boolean toleratesCordon(PodInfo pod) {
    return rules.tolerates(pod.view().spec().tolerations(), CORDONED);
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    return toleratesCordon(pod) ? null : new Filter(cluster);
  }

  private record Filter(Cluster cluster) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return !cluster.node(node).view().unschedulable();
    }

    @Override
    public Refusal refusal(int node) {
      return new Cordoned();
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }

  /** The node is cordoned. */
  public record Cordoned() implements Refusal {
    private static final List<String> MESSAGES = List.of("node(s) were unschedulable");

    @Override
    public String plugin() {
      return NAME;
    }

    @Override
    public List<String> messages() {
      return MESSAGES;
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }
}
