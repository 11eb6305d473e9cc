package dev.berth.scheduler.queue;

import dev.berth.scheduler.plugin.Happening;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods that were refused, found by what may help them: groups of alike pods, listed under each
 * happening that one of their refusing plugins waits for. A happening looks at groups, not at pods;
 * pods are touched when they are woken.
 */
final class Unschedulable {
  private final Hints hints;

  /** The first has waited longest. */
  private final TreeSet<Entry> entries = new TreeSet<>(Entry.BY_WAIT);

  private final Map<WaitingPod.Likeness, WaitingGroup> groups = new HashMap<>();
  private final Map<Happening, SequencedSet<WaitingGroup>> wakened = new EnumMap<>(Happening.class);

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
              WaitingGroup made = new WaitingGroup(likeness, new WaitingPod(entry.pod));
              for (Happening happening : hints.wakes(likeness.refusing())) {
                wakened.computeIfAbsent(happening, _ -> new LinkedHashSet<>()).add(made);
              }
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
      for (Happening happening : hints.wakes(group.likeness().refusing())) {
        SequencedSet<WaitingGroup> listed = wakened.get(happening);
        if (listed != null) {
          listed.remove(group);
        }
      }
    }
  }

  /** The pods that something that happened may help; they stay until they are removed. */
  List<Entry> helpedBy(Occurrence occurrence) {
    SequencedSet<WaitingGroup> candidates = wakened.get(occurrence.happening());
    if (candidates == null || candidates.isEmpty()) {
      return List.of();
    }
    List<Entry> helped = new ArrayList<>();
    for (WaitingGroup group : candidates) {
      if (hints.mayHelp(group.likeness().refusing(), group.example(), occurrence)) {
        helped.addAll(group.members().values());
      }
    }
    return helped;
  }
}
