package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeAffinity.Preference;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodePropertyPlugin;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugin NodeAffinity: a pod's node selector and node affinity, and the affinity that an
 * operator adds to that of every pod of a profile.
 */
public final class NodeAffinityPlugin implements NodePropertyPlugin, ScorePlugin {
  public static final String NAME = "NodeAffinity";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME,
              ExtensionPoint.PRE_FILTER,
              ExtensionPoint.FILTER,
              ExtensionPoint.PRE_SCORE,
              ExtensionPoint.SCORE)
          .weight(2)
          .arguments(
              new PluginArguments(
                  Set.of("addedAffinity"), args -> args.object("addedAffinity"), args -> args))
          .factory((args, _) -> new NodeAffinityPlugin(args));

  private final @Nullable NodeSelector addedRequirement;
  private final List<Preference> addedPreferences;

  public NodeAffinityPlugin() {
    this(JsonObject.EMPTY);
  }

  /**
   * From a configuration file.
   *
   * @param arguments {@code NodeAffinityArgs}: {@code addedAffinity}
   */
  public NodeAffinityPlugin(JsonObject arguments) {
    JsonObject added = arguments.object("addedAffinity");
    NodeAffinity affinity = NodeAffinity.read(added);
    this.addedRequirement = affinity.required();
    this.addedPreferences = affinity.preferred();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return Set.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_LABELS_CHANGED);
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return meets(addedRequirement, node.view())
        && NodeSelection.allows(pod.view().spec(), node.view());
  }

  @Override
  public @Nullable Set<String> nodeNames(PodInfo pod) {
    NodeAffinity affinity = pod.view().spec().nodeAffinity();
    return affinity == null || affinity.required() == null
        ? null
        : NamedNodes.of(affinity.required());
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    PodSpecView spec = pod.view().spec();
    NodeAffinity affinity = spec.nodeAffinity();
    boolean demands =
        !spec.nodeSelector().isEmpty() || (affinity != null && affinity.required() != null);
    return demands || addedRequirement != null ? new Filter(spec, addedRequirement, cluster) : null;
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    PodSpecView spec = pod.view().spec();
    NodeAffinity affinity = spec.nodeAffinity();
    return addedPreferences.isEmpty() && (affinity == null || affinity.preferred().isEmpty())
        ? null
        : new Score(spec, addedPreferences, cluster);
  }

  private static boolean meets(@Nullable NodeSelector requirement, NodeView node) {
    return requirement == null || NodeSelection.matches(requirement, node);
  }

  private record Filter(PodSpecView pod, @Nullable NodeSelector added, Cluster cluster)
      implements NodeFilter {

    @Override
    public boolean allows(int node) {
      NodeView view = cluster.node(node).view();
      return meets(added, view) && NodeSelection.allows(pod, view);
    }

    @Override
    public Refusal refusal(int node) {
      return new Mismatch(!meets(added, cluster.node(node).view()));
    }

    @Override
    public PodInfluence podInfluence() {
      return PodInfluence.NONE;
    }
  }

  private record Score(PodSpecView pod, List<Preference> added, Cluster cluster)
      implements NodeScore {

    @Override
    public long score(int node) {
      NodeView view = cluster.node(node).view();
      long sum = NodeSelection.preference(pod, view);
      for (Preference preference : added) {
        if (NodeSelection.matches(new NodeSelector(List.of(preference.term())), view)) {
          sum += preference.weight();
        }
      }
      return sum;
    }

    @Override
    public Normalization normalization() {
      return Normalization.SCALED;
    }
  }

  /**
   * The node is not one that was asked for.
   *
   * @param byProfile whether it is the profile that asked, not the pod
   */
  public record Mismatch(boolean byProfile) implements Refusal {
    private static final List<String> OF_POD =
        List.of("node(s) didn't match Pod's node affinity/selector");
    private static final List<String> OF_PROFILE =
        List.of("node(s) didn't match scheduler-enforced node affinity");

    @Override
    public String plugin() {
      return NAME;
    }

    @Override
    public List<String> messages() {
      return byProfile ? OF_PROFILE : OF_POD;
    }

    @Override
    public boolean preemptionMayHelp() {
      return false;
    }
  }
}
