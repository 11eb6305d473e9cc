package dev.berth.scheduler.plugin.spread;

import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
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

  /** How many times the score counts unless somebody says otherwise. */
  public static final long WEIGHT = 2;

  private static final int SHEETS = 64;

  private static final int REMEMBERED = 1_024;

  /** What a pod's constraints are read from; labels only if they name some. */
  private record Source(JsonArray trees, JsonObject labels) {}

  private record Own(List<SpreadConstraint> required, List<SpreadConstraint> preferred) {}

  private final SpreadArgs args;
  private final TolerationRules rules;
  private final Map<Source, Own> read = new HashMap<>();

  /** The sheets of the kinds of pods that were seen last; the cluster is the same all along. */
  private final LinkedHashMap<SpreadCounts.Key, SpreadCounts> sheets =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SpreadCounts.Key, SpreadCounts> eldest) {
          return size() > SHEETS;
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
  public Set<ClusterEventKind> wakes() {
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

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pod, cluster, true);
    return constraints.isEmpty()
        ? null
        : new SpreadFilter(sheet(pod, cluster, constraints, true), pod);
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    List<SpreadConstraint> constraints = constraints(pod, cluster, false);
    if (constraints.isEmpty()) {
      return null;
    }
    boolean allTopologies = !ownConstraints(pod).isEmpty() || !args.system();
    SpreadCounts sheet = sheet(pod, cluster, constraints, allTopologies);
    sheet.update();
    return new SpreadScore(sheet);
  }

  private static JsonArray ownConstraints(PodInfo pod) {
    return pod.tree().object("spec").array("topologySpreadConstraints");
  }

  private List<SpreadConstraint> constraints(PodInfo pod, Cluster cluster, boolean required) {
    JsonArray own = ownConstraints(pod);
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
    boolean named =
        trees.objects().stream().anyMatch(tree -> !tree.array("matchLabelKeys").isEmpty());
    Source source = new Source(trees, named ? labels : JsonObject.EMPTY);
    Own seen = read.get(source);
    if (seen == null) {
      List<SpreadConstraint> all = SpreadConstraint.read(trees, labels);
      seen =
          new Own(
              all.stream().filter(SpreadConstraint::required).toList(),
              all.stream().filter(constraint -> !constraint.required()).toList());
      if (read.size() >= REMEMBERED) {
        read.clear();
      }
      read.put(source, seen);
    }
    return seen;
  }

  private SpreadCounts sheet(
      PodInfo pod, Cluster cluster, List<SpreadConstraint> constraints, boolean allTopologies) {
    if (known != cluster) {
      sheets.clear();
      known = cluster;
    }
    SpreadCounts.Key key =
        SpreadCounts.Key.of(pod.name().namespace(), constraints, allTopologies, pod.view().spec());
    return sheets.computeIfAbsent(key, k -> new SpreadCounts(cluster, k, pod.view().spec(), rules));
  }
}
