package dev.berth.scheduler.queue;

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
 * The pods that were refused, found by what may help them: groups of alike pods, listed under each
 * kind that one of their refusing plugins waits for. An event looks at groups, not at pods; pods
 * are touched when they are woken. Pods that are for certain nodes, as a daemon's are, are found by
 * those: what happens on other nodes does not look at them.
 */
final class Unschedulable {
  private final Hints hints;

  /** The first has waited longest. */
  private final TreeSet<Entry> entries = new TreeSet<>(Entry.BY_WAIT);

  private final Map<WaitingPod.Likeness, WaitingGroup> groups = new HashMap<>();

  /** Groups that may be helped on any node. */
  private final Map<ClusterEventKind, SequencedSet<WaitingGroup>> anywhere =
      new EnumMap<>(ClusterEventKind.class);

  /** Groups that may be helped on certain nodes only. */
  private final Map<ClusterEventKind, SequencedSet<WaitingGroup>> somewhere =
      new EnumMap<>(ClusterEventKind.class);

  /** The same by those nodes. */
  private final Map<String, SequencedSet<WaitingGroup>> byNode = new HashMap<>();

  Unschedulable(Hints hints) {
    this.hints = hints;
  }

  int size() {
    return entries.size();
  }

  /** The one that has waited longest; null if there is none. */
  @Nullable Entry oldest() {
    return entries.isEmpty() ? null : entries.first();
  }

  void add(Entry entry) {
    WaitingGroup group =
        groups.computeIfAbsent(
            WaitingPod.Likeness.of(entry.pod, entry.refusing),
            likeness -> {
              WaitingPod example = new WaitingPod(entry.pod);
              Set<String> nodes = hints.nodes(likeness.refusing(), example);
              WaitingGroup made = new WaitingGroup(likeness, example, nodes);
              list(made);
              return made;
            });
    group.members().put(entry.uid(), entry);
    entry.group = group;
    entries.add(entry);
  }

  void remove(Entry entry) {
    entries.remove(entry);
    WaitingGroup group = entry.group;
    if (group == null) {
      return;
    }
    entry.group = null;
    group.members().remove(entry.uid());
    if (group.members().isEmpty()) {
      groups.remove(group.likeness());
      unlist(group);
    }
  }

  private void list(WaitingGroup group) {
    Map<ClusterEventKind, SequencedSet<WaitingGroup>> lists =
        group.nodes().isEmpty() ? anywhere : somewhere;
    for (ClusterEventKind kind : hints.wakes(group.likeness().refusing())) {
      lists.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(group);
    }
    for (String node : group.nodes()) {
      byNode.computeIfAbsent(node, _ -> new LinkedHashSet<>()).add(group);
    }
  }

  private void unlist(WaitingGroup group) {
    Map<ClusterEventKind, SequencedSet<WaitingGroup>> lists =
        group.nodes().isEmpty() ? anywhere : somewhere;
    lists.values().forEach(listed -> listed.remove(group));
    for (String node : group.nodes()) {
      SequencedSet<WaitingGroup> there = byNode.get(node);
      if (there != null && there.remove(group) && there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /** The pods that something that happened may help; they stay until they are removed. */
  List<Entry> helpedBy(ClusterEvent event) {
    List<Entry> helped = new ArrayList<>();
    addHelped(anywhere.get(event.kind()), event, helped);
    String place = event.place();
    addHelped(place.isEmpty() ? somewhere.get(event.kind()) : byNode.get(place), event, helped);
    return helped;
  }

  private void addHelped(
      @Nullable SequencedSet<WaitingGroup> candidates, ClusterEvent event, List<Entry> helped) {
    if (candidates == null) {
      return;
    }
    for (WaitingGroup group : candidates) {
      if (hints.mayHelp(group.likeness().refusing(), group.example(), event)) {
        helped.addAll(group.members().values());
      }
    }
  }
}
