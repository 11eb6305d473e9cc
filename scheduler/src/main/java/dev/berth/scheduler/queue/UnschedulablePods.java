package dev.berth.scheduler.queue;

import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods that were refused, indexed by what may help them: groups of alike pods, listed under
 * each kind of event that one of their refusing plugins registers for. An event is compared to
 * groups, not to pods. Pods that are for certain nodes, as a daemon's are, are indexed by those, so
 * that events on other nodes cost nothing.
 */
final class UnschedulablePods {
  private final QueueingHints hints;

  /** The first has waited longest. */
  private final TreeSet<QueueEntry> entries = new TreeSet<>(QueueEntry.BY_WAIT);

  private final Map<WaitingGroup.Key, WaitingGroup> groups = new HashMap<>();

  /** Groups that may be helped on any node. */
  private final Map<ClusterEventKind, SequencedSet<WaitingGroup>> onAnyNode =
      new EnumMap<>(ClusterEventKind.class);

  /** Groups that may be helped on certain nodes only. */
  private final Map<ClusterEventKind, SequencedSet<WaitingGroup>> onCertainNodes =
      new EnumMap<>(ClusterEventKind.class);

  /** The same by those nodes. */
  private final Map<String, SequencedSet<WaitingGroup>> byNode = new HashMap<>();

  UnschedulablePods(QueueingHints hints) {
    this.hints = hints;
  }

  int size() {
    return entries.size();
  }

  /** The one that has waited longest; null if there is none. */
  @Nullable QueueEntry oldest() {
    return entries.isEmpty() ? null : entries.first();
  }

  void add(QueueEntry entry) {
    WaitingGroup group =
        groups.computeIfAbsent(
            WaitingGroup.Key.of(entry.pod, entry.refusing),
            key -> {
              Set<String> nodes = hints.nodes(key.refusing(), entry.pod);
              WaitingGroup made = new WaitingGroup(key, entry.pod, nodes);
              list(made);
              return made;
            });
    group.members().put(entry.uid(), entry);
    entry.group = group;
    entries.add(entry);
  }

  void remove(QueueEntry entry) {
    entries.remove(entry);
    WaitingGroup group = entry.group;
    if (group == null) {
      return;
    }
    entry.group = null;
    group.members().remove(entry.uid());
    if (group.members().isEmpty()) {
      groups.remove(group.key());
      unlist(group);
    }
  }

  private void list(WaitingGroup group) {
    Map<ClusterEventKind, SequencedSet<WaitingGroup>> lists =
        group.nodes().isEmpty() ? onAnyNode : onCertainNodes;
    for (ClusterEventKind kind : hints.events(group.key().refusing(), group.example())) {
      lists.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(group);
    }
    for (String node : group.nodes()) {
      byNode.computeIfAbsent(node, _ -> new LinkedHashSet<>()).add(group);
    }
  }

  private void unlist(WaitingGroup group) {
    Map<ClusterEventKind, SequencedSet<WaitingGroup>> lists =
        group.nodes().isEmpty() ? onAnyNode : onCertainNodes;
    lists.values().forEach(listed -> listed.remove(group));
    for (String node : group.nodes()) {
      SequencedSet<WaitingGroup> there = byNode.get(node);
      if (there != null && there.remove(group) && there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /** The pods that an event may help; they stay until they are removed. */
  List<QueueEntry> helpedBy(ClusterEvent event) {
    List<QueueEntry> helped = new ArrayList<>();
    addHelped(onAnyNode.get(event.kind()), event, helped);
    String node = event.nodeName();
    addHelped(node.isEmpty() ? onCertainNodes.get(event.kind()) : byNode.get(node), event, helped);
    return helped;
  }

  private void addHelped(
      @Nullable SequencedSet<WaitingGroup> candidates,
      ClusterEvent event,
      List<QueueEntry> helped) {
    if (candidates == null) {
      return;
    }
    for (WaitingGroup group : candidates) {
      if (hints.mayHelp(group.key().refusing(), group.example(), event)) {
        helped.addAll(group.members().values());
      }
    }
  }
}
