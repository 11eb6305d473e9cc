package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.NodeEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Profile;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether an event may help a pod that certain plugins refused. Each plugin says so itself ({@link
 * FilterPlugin#events}, {@link FilterPlugin#mayHelp}); this is what holds for all of them:
 *
 * <ul>
 *   <li>A node helps a pod only if every filter of the pod's profile {@linkplain
 *       FilterPlugin#admits admits} it. One that is admitted only since it changed is as good as a
 *       new one, to every plugin that registers for new nodes.
 *   <li>What happens to a pod on a node concerns a plugin that looks at one node only if the
 *       waiting pod may be on that node.
 *   <li>That a node is no longer kept for a pod is to others as if that pod had gone, unless their
 *       priority is higher: to those it did not count.
 *   <li>A plugin that is not known may be helped by anything.
 * </ul>
 */
public final class QueueingHints {
  /** The changes by which a node may come to be admitted. */
  private static final Set<ClusterEventKind> ADMITTING =
      EnumSet.of(
          ClusterEventKind.NODE_TAINTS_CHANGED,
          ClusterEventKind.NODE_UNSCHEDULABLE_CHANGED,
          ClusterEventKind.NODE_CONDITIONS_CHANGED,
          ClusterEventKind.NODE_FEATURES_CHANGED,
          ClusterEventKind.NODE_LABELS_CHANGED);

  private final Function<String, @Nullable Profile> profiles;
  private final Cluster cluster;
  private final Map<Refused, Set<ClusterEventKind>> events = new HashMap<>();

  /** Pods of a profile that the same plugins refused. */
  private record Refused(String schedulerName, Set<String> plugins) {}

  /**
   * @param profiles by scheduler name
   */
  public QueueingHints(Function<String, @Nullable Profile> profiles, Cluster cluster) {
    this.profiles = profiles;
    this.cluster = cluster;
  }

  private List<FilterPlugin> filters(PodInfo pod) {
    Profile profile = profiles.apply(schedulerName(pod));
    return profile == null ? List.of() : profile.filters();
  }

  private static String schedulerName(PodInfo pod) {
    return pod.view().spec().schedulerName();
  }

  private static @Nullable FilterPlugin find(List<FilterPlugin> filters, String name) {
    for (FilterPlugin filter : filters) {
      if (filter.name().equals(name)) {
        return filter;
      }
    }
    return null;
  }

  /** The kinds of events that may help a pod that these plugins refused. */
  Set<ClusterEventKind> events(Set<String> refusing, PodInfo pod) {
    return events.computeIfAbsent(
        new Refused(schedulerName(pod), refusing), _ -> computeEvents(refusing, pod));
  }

  private Set<ClusterEventKind> computeEvents(Set<String> refusing, PodInfo pod) {
    Set<ClusterEventKind> all = EnumSet.noneOf(ClusterEventKind.class);
    for (String name : refusing) {
      FilterPlugin plugin = find(filters(pod), name);
      all.addAll(plugin == null ? EnumSet.allOf(ClusterEventKind.class) : plugin.events());
    }
    if (all.contains(ClusterEventKind.NODE_ADDED)) {
      all.addAll(ADMITTING);
    }
    if (all.contains(ClusterEventKind.POD_GONE)) {
      all.add(ClusterEventKind.NOMINATION_GONE);
    }
    return Collections.unmodifiableSet(all);
  }

  /** The name of a plugin for which a pod is not to be tried yet; empty if it may be. */
  String holding(PodInfo pod) {
    List<FilterPlugin> filters = filters(pod);
    for (int i = 0; i < filters.size(); i++) {
      if (filters.get(i).holds(pod, cluster)) {
        return filters.get(i).name();
      }
    }
    return "";
  }

  /** The only nodes on which anything may help a pod that these refused; empty if it may be any. */
  Set<String> nodes(Set<String> refusing, PodInfo pod) {
    List<FilterPlugin> filters = filters(pod);
    for (String name : refusing) {
      FilterPlugin plugin = find(filters, name);
      if (plugin == null || !plugin.looksAtOneNode()) {
        return Set.of();
      }
    }
    for (FilterPlugin filter : filters) {
      Set<String> names = filter.nodeNames(pod);
      if (names != null) {
        return names;
      }
    }
    return Set.of();
  }

  boolean mayHelp(Set<String> refusing, PodInfo pod, ClusterEvent event) {
    List<FilterPlugin> filters = filters(pod);
    boolean isNew = false;
    if (event instanceof NodeEvent node && node.after() != null) {
      if (!admits(filters, pod, node.after())) {
        return false;
      }
      isNew = node.before() == null || !admits(filters, pod, node.before());
    }
    if (event.kind() == ClusterEventKind.NOMINATION_GONE
        && event instanceof PodEvent(var _, PodInfo nominated, var _)
        && nominated != null
        && nominated.priority() < pod.priority()) {
      return false;
    }
    for (String name : refusing) {
      FilterPlugin plugin = find(filters, name);
      if (plugin == null || mayHelp(plugin, filters, pod, event, isNew)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayHelp(
      FilterPlugin plugin,
      List<FilterPlugin> filters,
      PodInfo pod,
      ClusterEvent event,
      boolean isNewNode) {
    Set<ClusterEventKind> registered = plugin.events();
    if (isNewNode) {
      return registered.contains(ClusterEventKind.NODE_ADDED) || registered.contains(event.kind());
    }
    ClusterEventKind kind =
        event.kind() == ClusterEventKind.NOMINATION_GONE ? ClusterEventKind.POD_GONE : event.kind();
    return registered.contains(kind)
        && (!plugin.looksAtOneNode() || mayBeOn(filters, pod, event.nodeName()))
        && plugin.mayHelp(event, pod, cluster);
  }

  private boolean admits(List<FilterPlugin> filters, PodInfo pod, NodeInfo node) {
    for (FilterPlugin filter : filters) {
      if (!filter.admits(pod, node, cluster)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a pod might ever be on a node; a daemon's pod, say, is for one node alone. */
  private static boolean mayBeOn(List<FilterPlugin> filters, PodInfo pod, String nodeName) {
    if (nodeName.isEmpty()) {
      return true;
    }
    for (FilterPlugin filter : filters) {
      Set<String> names = filter.nodeNames(pod);
      if (names != null && !names.contains(nodeName)) {
        return false;
      }
    }
    return true;
  }
}
