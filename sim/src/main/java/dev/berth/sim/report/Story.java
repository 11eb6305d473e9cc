package dev.berth.sim.report;

import dev.berth.sim.record.NodeHistory;
import dev.berth.sim.record.NodeState;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.scenario.Spans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What happened, in words and in order. What happens to many at about the same time is one line.
 */
final class Story {
  /** What is closer together than this is told as one. */
  private static final long TOGETHER = Duration.ofMinutes(2).toMillis();

  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /**
   * A sentence.
   *
   * @param kind such as {@code action}, {@code node}, {@code eviction}
   */
  record Line(long time, String kind, String text) {}

  private final Recording recording;
  private final List<Line> lines = new ArrayList<>();

  private Story(Recording recording) {
    this.recording = recording;
  }

  static List<Line> of(Recording recording) {
    Story story = new Story(recording);
    story.tell();
    story.lines.sort(Comparator.comparingLong(Line::time));
    return List.copyOf(story.lines);
  }

  private void tell() {
    for (Recording.Note note : recording.notes()) {
      String kind =
          switch (note.kind()) {
            case ACTION -> "action";
            case ZONE -> "zone";
            case DRAIN -> "drain";
          };
      lines.add(new Line(note.time(), kind, note.text()));
    }
    nodes(NodeState.UNREACHABLE, "unreachable");
    nodes(NodeState.NOT_READY, "not ready");
    nodes(NodeState.PRESSURE, "under pressure");
    evictions();
    recording.workloads().values().forEach(this::workload);
    pending();
  }

  /** Nodes that came into a state, and those that left it, by zone and minute. */
  private void nodes(NodeState state, String words) {
    Map<Long, Map<String, Integer>> came = new TreeMap<>();
    Map<Long, Map<String, Integer>> left = new TreeMap<>();
    for (NodeHistory node : recording.nodes()) {
      StepSeries states = node.states();
      long before = NodeState.READY.code();
      for (int i = 0; i < states.size(); i++) {
        if (states.value(i) == state.code()) {
          count(came, states.time(i), node.zone());
        } else if (before == state.code()) {
          count(left, states.time(i), node.zone());
        }
        before = states.value(i);
      }
    }
    came.forEach((time, zones) -> lines.add(new Line(time, "node", counted(zones) + " " + words)));
    left.forEach(
        (time, zones) -> lines.add(new Line(time, "node", counted(zones) + " no longer " + words)));
  }

  private static void count(Map<Long, Map<String, Integer>> all, long time, String zone) {
    all.computeIfAbsent(time / MINUTE * MINUTE, _ -> new TreeMap<>()).merge(zone, 1, Integer::sum);
  }

  private static String counted(Map<String, Integer> zones) {
    int all = zones.values().stream().mapToInt(Integer::intValue).sum();
    String nodes = all == 1 ? "1 node" : all + " nodes";
    List<String> named =
        zones.entrySet().stream()
            .filter(zone -> !zone.getKey().isEmpty())
            .map(zone -> zones.size() == 1 ? zone.getKey() : zone.getKey() + ": " + zone.getValue())
            .toList();
    return named.isEmpty() ? nodes : nodes + " of zone " + String.join(", ", named);
  }

  private void evictions() {
    List<PodHistory> evicted =
        recording.pods().stream()
            .filter(PodHistory::wasEvicted)
            .sorted(Comparator.comparingLong(PodHistory::evictedAt))
            .toList();
    int from = 0;
    for (int i = 1; i <= evicted.size(); i++) {
      boolean ends =
          i == evicted.size()
              || evicted.get(i).evictedAt() - evicted.get(i - 1).evictedAt() > TOGETHER;
      if (ends) {
        evictions(evicted.subList(from, i));
        from = i;
      }
    }
  }

  private void evictions(List<PodHistory> pods) {
    Map<String, Integer> workloads = new TreeMap<>();
    TreeSet<String> reasons = new TreeSet<>();
    for (PodHistory pod : pods) {
      workloads.merge(pod.workload().toString(), 1, Integer::sum);
      reasons.add(reason(pod));
    }
    long first = pods.getFirst().evictedAt();
    long last = pods.getLast().evictedAt();
    List<String> each = new ArrayList<>();
    workloads.forEach((name, count) -> each.add(name + " " + count));
    String until = last - first < 1000 ? "" : ", the last at " + time(last);
    lines.add(
        new Line(
            first,
            "eviction",
            "%d %s evicted (%s)%s: %s"
                .formatted(
                    pods.size(),
                    pods.size() == 1 ? "pod" : "pods",
                    String.join(", ", reasons),
                    until,
                    String.join(", ", each))));
  }

  private static String reason(PodHistory pod) {
    int colon = pod.eviction().indexOf(':');
    return colon < 0 ? pod.eviction() : pod.eviction().substring(0, colon);
  }

  private void workload(WorkloadHistory workload) {
    long end = recording.duration().toMillis();
    WorkloadHistory.Worst worst = workload.worst(0);
    if (workload.completeAt().isEmpty()) {
      if (workload.desired().last() > 0) {
        String why = workload.failure().isEmpty() ? "" : ": " + workload.failure();
        lines.add(new Line(end, "workload", workload.id() + " was never complete" + why));
      }
      return;
    }
    if (worst.at() < 0 || worst.available() >= worst.desired()) {
      return;
    }
    long budget = workload.budget().at(worst.at());
    String below =
        budget > 0 && worst.available() < budget
            ? ", below the %d that its budget wants".formatted(budget)
            : "";
    lines.add(
        new Line(
            worst.at(),
            "workload",
            "%s at its worst: %d of %d available%s"
                .formatted(workload.id(), worst.available(), worst.desired(), below)));
    if (workload.available().at(end) < workload.desired().at(end)) {
      lines.add(
          new Line(
              end,
              "workload",
              "%s still incomplete at the end: %d of %d available"
                  .formatted(
                      workload.id(), workload.available().at(end), workload.desired().at(end))));
      return;
    }
    StepSeries available = workload.available();
    for (int i = available.size() - 1; i > 0; i--) {
      long before = available.time(i - 1);
      if (available.value(i - 1) < workload.desired().at(before)
          && available.time(i) >= worst.at()) {
        lines.add(new Line(available.time(i), "workload", workload.id() + " complete again"));
        return;
      }
    }
  }

  /** Pods that no node took, by what the scheduler said. */
  private void pending() {
    Map<String, Integer> reasons = new TreeMap<>();
    for (PodHistory pod : recording.pods()) {
      if (pod.state() == PodState.PENDING) {
        reasons.merge(pod.pendingBecause(), 1, Integer::sum);
      }
    }
    reasons.forEach((reason, count) ->
        lines.add(
            new Line(
                recording.duration().toMillis(),
                "pending",
                "%d %s still pending at the end%s"
                    .formatted(
                        count,
                        count == 1 ? "pod" : "pods",
                        reason.isEmpty() ? "" : ": " + reason))));
  }

  static String time(long millis) {
    return Spans.text(Duration.ofSeconds(millis / 1000));
  }
}
