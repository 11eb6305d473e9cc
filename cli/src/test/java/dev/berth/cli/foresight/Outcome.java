package dev.berth.cli.foresight;

import dev.berth.sim.record.NodeHistory;
import dev.berth.sim.record.NodeState;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.Recording.Note;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario came to: how many of what, and what happened first and last when. Whatever a
 * scheduler decides by chance differs from seed to seed, so one that was played in real time is
 * compared with what several simulations came to.
 *
 * @param counts what is not there counts as 0
 * @param moments in milliseconds; what never happened is not there
 */
record Outcome(SortedMap<String, Long> counts, SortedMap<String, Long> moments) {
  /** Whoever had no node for longer waited for one, rather than for the scheduler's turn. */
  private static final Duration WAITED = Duration.ofSeconds(3);

  /** A node's conditions and taints do not change at once; what lasts shorter is in between. */
  private static final long MOMENT = 1000;

  /** What is further apart in all simulations comes in this order in real time, too. */
  private static final Duration APART = Duration.ofSeconds(1);

  /** Of the nodes that may lose pods, some may have none by chance. */
  private static final String FROM = "evicted from ";

  private static final String REPLACEMENT = ": replacement evicted by ";

  /**
   * Nodes change one after the other where requests take time, so a replacement may come to one
   * that is about to be changed: how many more of them may go than in simulations.
   */
  private static final long MORE_REPLACEMENTS = 4;

  static Outcome of(Recording recording) {
    Outcome outcome = new Outcome(new TreeMap<>(), new TreeMap<>());
    long first =
        recording.notes().stream()
            .filter(note -> note.kind() == Note.Kind.ACTION)
            .mapToLong(Note::time)
            .min()
            .orElse(0);
    recording.workloads().values().forEach(outcome::read);
    recording.pods().forEach(pod -> outcome.read(pod, recording, first));
    recording.nodes().forEach(node -> outcome.read(node, first));
    outcome.counts.put("nodes emptied because of their health", (long) recording.emptied().size());
    for (Note note : recording.notes()) {
      switch (note.kind()) {
        case ACTION -> outcome.moments.put("action: " + note.text(), note.time());
        case DRAIN -> outcome.seen("drain ended", note.time());
        case ZONE ->
            outcome.seen(
                "zone " + note.text().replaceFirst(".* is now (\\w+):.*", "$1"), note.time());
      }
    }
    return outcome;
  }

  private void read(WorkloadHistory workload) {
    String name = workload.id().name();
    counts.put(name + ": available at worst", workload.worst(0).available());
    counts.put(name + ": available at the end", workload.available().last());
    counts.put(name + ": pending at the end", workload.pending().last());
    workload.completeAt().ifPresent(at -> moments.put(name + ": complete", at));
    StepSeries available = workload.available();
    for (int i = 0; i < available.size(); i++) {
      long at = available.time(i);
      if (isComplete(workload, at)
          && !isComplete(workload, at - 1)
          && at > workload.completeAt().orElse(Long.MAX_VALUE)) {
        moments.put(name + ": complete again, for the last time", at);
      }
    }
  }

  private static boolean isComplete(WorkloadHistory workload, long at) {
    return workload.available().at(at) >= workload.desired().at(at);
  }

  private void read(PodHistory pod, Recording recording, long first) {
    String workload = pod.workload().name();
    if (pod.wasEvicted()) {
      String reason = pod.eviction().replaceFirst(":.*", "");
      count(workload + (pod.time(0) < first ? ": evicted by " : REPLACEMENT) + reason, 1);
      seen(workload + ": evicted", pod.evictedAt());
      counts.put(FROM + recording.nodes().get(pod.node()).name(), 1L);
    }
    for (int i = 0; i < pod.changes(); i++) {
      boolean hasEnd = i + 1 < pod.changes();
      long until = hasEnd ? pod.time(i + 1) : recording.duration().toMillis();
      boolean waited = until - pod.time(i) >= WAITED.toMillis() && until > first;
      if (pod.state(i) == PodState.PENDING && waited) {
        count(workload + ": waited for a node", 1);
        seen(workload + ": began to wait for a node", pod.time(i));
        if (hasEnd) {
          seen(workload + ": got a node after waiting", until);
        }
      }
    }
  }

  private void read(NodeHistory node, long first) {
    StepSeries states = node.states();
    for (int i = 0; i < states.size(); i++) {
      String words = words(states.value(i));
      boolean lasts = i + 1 == states.size() || states.time(i + 1) - states.time(i) >= MOMENT;
      if (states.time(i) >= first && lasts) {
        seen("node " + words, states.time(i));
        counts.put(node.name() + " was " + words, 1L);
      }
    }
    count("nodes %s at the end".formatted(words(states.last())), 1);
  }

  private static String words(long state) {
    for (NodeState each : NodeState.values()) {
      if (each.code() == state) {
        return each.words();
      }
    }
    throw new IllegalArgumentException("no state has the code " + state);
  }

  private void count(String what, long by) {
    counts.merge(what, by, Long::sum);
  }

  /** Keeps the first and the last time of something. */
  private void seen(String what, long at) {
    moments.merge("first " + what, at, Math::min);
    moments.merge("last " + what, at, Math::max);
  }

  /** In what this differs from all that was simulated, a sentence for each. */
  List<String> differences(List<Outcome> simulated, Duration tolerance) {
    List<String> differences = new ArrayList<>();
    for (String what : names(simulated, Outcome::counts)) {
      LongSummaryStatistics range =
          simulated.stream()
              .mapToLong(each -> each.counts.getOrDefault(what, 0L))
              .summaryStatistics();
      long seen = counts.getOrDefault(what, 0L);
      long more = what.contains(REPLACEMENT) ? MORE_REPLACEMENTS : 0;
      boolean tooFew = seen < range.getMin() && !what.startsWith(FROM);
      if (tooFew || seen > range.getMax() + more) {
        differences.add(
            "%s: %d to %d simulated, %d in real time"
                .formatted(what, range.getMin(), range.getMax(), seen));
      }
    }
    for (String what : names(simulated, Outcome::moments)) {
      LongSummaryStatistics range = range(what, simulated);
      Long seen = moments.get(what);
      boolean fits =
          seen == null
              ? range.getCount() < simulated.size()
              : range.getCount() > 0
                  && seen >= range.getMin() - tolerance.toMillis()
                  && seen <= range.getMax() + tolerance.toMillis();
      if (!fits) {
        differences.add(
            "%s: %s in %d of %d simulations, %s in real time"
                .formatted(what, text(range), range.getCount(), simulated.size(), text(seen)));
      }
    }
    differences.addAll(disorder(simulated));
    return differences;
  }

  private List<String> disorder(List<Outcome> simulated) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, Long> one : moments.entrySet()) {
      for (Map.Entry<String, Long> other : moments.entrySet()) {
        LongSummaryStatistics before = range(one.getKey(), simulated);
        LongSummaryStatistics after = range(other.getKey(), simulated);
        boolean isOrdered = before.getMax() + APART.toMillis() < after.getMin();
        if (isOrdered
            && before.getCount() > 0
            && after.getCount() > 0
            && one.getValue() > other.getValue()) {
          differences.add(
              "\"%s\" comes before \"%s\" in simulations, and after it in real time"
                  .formatted(one.getKey(), other.getKey()));
        }
      }
    }
    return differences;
  }

  private static LongSummaryStatistics range(String what, List<Outcome> simulated) {
    return simulated.stream()
        .map(each -> each.moments.get(what))
        .filter(Objects::nonNull)
        .mapToLong(Long::longValue)
        .summaryStatistics();
  }

  private TreeSet<String> names(
      List<Outcome> simulated, Function<Outcome, SortedMap<String, Long>> of) {
    TreeSet<String> names = new TreeSet<>(of.apply(this).keySet());
    simulated.forEach(each -> names.addAll(of.apply(each).keySet()));
    return names;
  }

  /** All of it beside what was simulated, as lines. */
  String beside(List<Outcome> simulated) {
    List<String> lines = new ArrayList<>();
    for (String what : names(simulated, Outcome::counts)) {
      LongSummaryStatistics range =
          simulated.stream()
              .mapToLong(each -> each.counts.getOrDefault(what, 0L))
              .summaryStatistics();
      lines.add(
          "  %-60s %d..%d  %d"
              .formatted(what, range.getMin(), range.getMax(), counts.getOrDefault(what, 0L)));
    }
    for (String what : names(simulated, Outcome::moments)) {
      lines.add(
          "  %-60s %s  %s".formatted(what, text(range(what, simulated)), text(moments.get(what))));
    }
    return String.join("\n", lines);
  }

  private static String text(LongSummaryStatistics range) {
    return range.getCount() == 0
        ? "never"
        : "%.1f..%.1f s".formatted(range.getMin() / 1000.0, range.getMax() / 1000.0);
  }

  private static String text(@Nullable Long moment) {
    return moment == null ? "never" : "%.1f s".formatted(moment / 1000.0);
  }
}
