package dev.berth.scheduler.plugin.spread;

import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Spreads pods over domains as their {@code topologySpreadConstraints} say; {@code DoNotSchedule}
 * refuses nodes, {@code ScheduleAnyway} scores them. A pod without constraints gets the defaults,
 * about the pods that its services and its controller select.
 */
public final class PodTopologySpread implements FilterPlugin, ScorePlugin {
  public static final String NAME = "PodTopologySpread";

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
                  Set.of("defaultConstraints", "defaultingType"),
                  SpreadArgs::check,
                  args -> PluginArguments.withDefault(args, "defaultingType", "System")))
          .factory((args, rules) -> new PodTopologySpread(SpreadArgs.read(args), rules));

  /** How many kinds of pods counts are kept for. */
  private static final int MAX_COUNTS = 64;

  /** How many pods' constraints are kept as they were read. */
  private static final int MAX_READ = 1_024;

  /** What a pod's constraints are read from; labels only if they name some. */
  private record Source(JsonArray trees, JsonObject labels) {}

  private record Own(List<SpreadConstraint> required, List<SpreadConstraint> preferred) {}

  private final SpreadArgs args;
  private final TolerationRules rules;
  private final Map<Source, Own> read = new HashMap<>();

  /** The counts of the kinds of pods that were seen last; the cluster is the same all along. */
  private final LinkedHashMap<SpreadCounts.Key, SpreadCounts> counts =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SpreadCounts.Key, SpreadCounts> eldest) {
          return size() > MAX_COUNTS;
        }
      };

  private @Nullable Cluster known;

  /**
   * The plugin with its arguments.
   *
   * @param rules by which constraints that look at taints know what a pod tolerates
   */
  public PodTopologySpread(SpreadArgs args, TolerationRules rules) {
    this.args = args;
    this.rules = rules;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_REMOVED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.NODE_TAINTS_CHANGED,
        ClusterEventKind.POD_BOUND,
        ClusterEventKind.POD_LABELS_CHANGED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.WAITING_POD_CHANGED,
        ClusterEventKind.SERVICE_OR_CONTROLLER_CHANGED);
  }

  /**
   * Another pod helps only if a constraint counts it. Which pods default constraints count depends
   * on the waiting pod's labels, so that any pod of the namespace may be one.
   */
  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    if (!(event instanceof PodEvent(ClusterEventKind kind, PodInfo before, PodInfo after))
        || kind == ClusterEventKind.WAITING_POD_CHANGED
        || (before == null && after == null)) {
      return true;
    }
    return counts(pod, before) || counts(pod, after);
  }

  private boolean counts(PodInfo pod, @Nullable PodInfo other) {
    if (other == null || !other.name().namespace().equals(pod.name().namespace())) {
      return false;
    }
    JsonArray own = pod.topologySpreadConstraints();
    return own.isEmpty()
        || own(own, pod.labels()).required().stream()
            .anyMatch(constraint -> constraint.selector().matches(other.labels()));
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pod, cluster, true);
    return constraints.isEmpty()
        ? null
        : new SpreadFilter(counts(pod, cluster, constraints, true), pod);
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pod, cluster, false);
    if (constraints.isEmpty()) {
      return null;
    }
    boolean allTopologies = !pod.topologySpreadConstraints().isEmpty() || !args.system();
    SpreadCounts current = counts(pod, cluster, constraints, allTopologies);
    current.update();
    return new SpreadScore(current);
  }

  private List<SpreadConstraint> constraints(PodInfo pod, Cluster cluster, boolean required) {
    JsonArray own = pod.topologySpreadConstraints();
    if (!own.isEmpty()) {
      Own all = own(own, pod.labels());
      return required ? all.required() : all.preferred();
    }
    List<SpreadConstraint> defaults =
        args.defaults().stream().filter(c -> c.required() == required).toList();
    if (defaults.isEmpty()) {
      return defaults;
    }
    LabelSelector selector = cluster.owners().selectorOf(pod);
    return selector.selectsEverything()
        ? List.of()
        : defaults.stream().map(constraint -> constraint.about(selector)).toList();
  }

  /** Reads a pod's constraints; the pods of a template have the same. */
  private Own own(JsonArray trees, JsonObject labels) {
    Source source = new Source(trees, PodAffinity.namesLabels(trees) ? labels : JsonObject.EMPTY);
    Own seen = read.get(source);
    if (seen == null) {
      List<SpreadConstraint> all = SpreadConstraint.read(trees, labels);
      seen =
          new Own(
              all.stream().filter(SpreadConstraint::required).toList(),
              all.stream().filter(constraint -> !constraint.required()).toList());
      if (read.size() >= MAX_READ) {
        read.clear();
      }
      read.put(source, seen);
    }
    return seen;
  }

  private SpreadCounts counts(
      PodInfo pod, Cluster cluster, List<SpreadConstraint> constraints, boolean allTopologies) {
    if (known != cluster) {
      counts.clear();
      known = cluster;
    }
    SpreadCounts.Key key =
        SpreadCounts.Key.of(pod.name().namespace(), constraints, allTopologies, pod.view().spec());
    return counts.computeIfAbsent(key, k -> new SpreadCounts(cluster, k, pod.view().spec(), rules));
  }
}
