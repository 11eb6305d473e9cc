package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.NodeView;
import dev.berth.policy.node.DeclaredFeatures;
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

/** Pods that need features of their node get nodes that declare them. */
public final class NodeDeclaredFeatures implements NodePropertyPlugin {
  public static final String NAME = "NodeDeclaredFeatures";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.FILTER)
          .factory((_, _) -> new NodeDeclaredFeatures());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_FEATURES_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return event instanceof PodEvent changed
        ? needsOther(changed)
        : NodePropertyPlugin.super.mayHelp(event, pod, cluster);
  }

  private static boolean needsOther(PodEvent changed) {
    return changed.before() == null
        || changed.after() == null
        || !needed(changed.before()).equals(needed(changed.after()));
  }

  private static List<String> needed(PodInfo pod) {
    return pod.podClass().neededFeatures();
  }

  private static List<String> missing(List<String> needed, NodeInfo node) {
    return needed.isEmpty()
        ? needed
        : DeclaredFeatures.missing(needed, NodeView.declaredFeatures(node.tree()));
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return missing(needed(pod), node).isEmpty();
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<String> needed = needed(pod);
    return needed.isEmpty() ? null : new Filter(needed, cluster);
  }

  private record Filter(List<String> needed, Cluster cluster) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return missing(needed, cluster.node(node)).isEmpty();
    }

    @Override
    public Refusal refusal(int node) {
      return new Undeclared(missing(needed, cluster.node(node)));
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }

  /**
   * The node does not declare what the pod needs.
   *
   * @param features those that are missing
   */
  public record Undeclared(List<String> features) implements Refusal {
    private static final List<String> MESSAGES =
        List.of("node(s) didn't match Pod's required features");

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
