package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.ContainerPort;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two pods cannot take the same port of a node. Ports are the same if number and protocol are, and
 * the addresses are equal or one of them means all addresses.
 */
public final class NodePorts implements FilterPlugin {
  public static final String NAME = "NodePorts";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(NAME, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER)
          .factory((_, _) -> new NodePorts());

  private static final String ALL_ADDRESSES = "0.0.0.0";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.POD_GONE);
  }

  /** A pod that leaves helps if it held one of the ports. */
  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return !(event instanceof ClusterEvent.PodEvent left)
        || left.before() == null
        || taken(pod.podClass().hostPorts(), left.before()) != null;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<ContainerPort> wanted = pod.podClass().hostPorts();
    return wanted.isEmpty() ? null : new Filter(wanted, cluster);
  }

  private record Filter(List<ContainerPort> wanted, Cluster cluster) implements NodeFilter {
    @Override
    public boolean allows(int node) {
      return cluster.hostPortPods(node) == 0 || taken(node) == null;
    }

    private @Nullable ContainerPort taken(int node) {
      for (PodInfo pod : cluster.pods(node)) {
        ContainerPort taken = NodePorts.taken(wanted, pod);
        if (taken != null) {
          return taken;
        }
      }
      return null;
    }

    @Override
    public Refusal refusal(int node) {
      ContainerPort taken = taken(node);
      if (taken == null) {
        throw new IllegalStateException("All ports are free on node " + node);
      }
      return new Taken(taken.hostPort(), taken.protocol());
    }
  }

  /** The first of the wanted ports that a pod has; null if it has none of them. */
  private static @Nullable ContainerPort taken(List<ContainerPort> wanted, PodInfo pod) {
    for (ContainerPort theirs : pod.podClass().hostPorts()) {
      for (ContainerPort ours : wanted) {
        if (collide(ours, theirs)) {
          return ours;
        }
      }
    }
    return null;
  }

  private static boolean collide(ContainerPort one, ContainerPort other) {
    return one.hostPort() == other.hostPort()
        && one.protocol().equals(other.protocol())
        && (isAll(one.hostIp()) || isAll(other.hostIp()) || one.hostIp().equals(other.hostIp()));
  }

  private static boolean isAll(String address) {
    return address.isEmpty() || address.equals(ALL_ADDRESSES);
  }

  /** A port that the pod wants is another pod's; perhaps not the only one. */
  public record Taken(long port, String protocol) implements Refusal {
    private static final List<String> MESSAGES =
        List.of("node(s) didn't have free ports for the requested pod ports");

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
      return true;
    }
  }
}
