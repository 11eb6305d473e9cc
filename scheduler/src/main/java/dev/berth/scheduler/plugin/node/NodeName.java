package dev.berth.scheduler.plugin.node;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodePropertyPlugin;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pod that names its node goes there or nowhere. */
public final class NodeName implements NodePropertyPlugin {
  public static final String NAME = "NodeName";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.FILTER).factory((_, _) -> new NodeName());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(ClusterEventKind.NODE_ADDED);
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return pod.nodeName().isEmpty() || pod.nodeName().equals(node.name());
  }

  @Override
  public @Nullable Set<String> nodeNames(PodInfo pod) {
    return pod.nodeName().isEmpty() ? null : Set.of(pod.nodeName());
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    return pod.nodeName().isEmpty() ? null : new Filter(pod.nodeName(), cluster);
  }

  private record Filter(String wanted, Cluster cluster) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return cluster.node(node).name().equals(wanted);
    }

    @Override
    public Refusal refusal(int node) {
      return new OtherName(wanted);
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }

  /** The pod names another node. */
  public record OtherName(String wanted) implements Refusal {
    private static final List<String> MESSAGES =
        List.of("node(s) didn't match the requested node name");

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
