package dev.berth.scheduler.decision;

import dev.berth.scheduler.plugin.Refusal;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts refusals by what they say. */
final class RefusalCounts {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Set<String> plugins = new TreeSet<>();
  private int unresolvable;
  private String ofPod = "";

  void add(Refusal refusal) {
    add(Reason.of(refusal), 1);
    if (refusal.isOfPod()) {
      ofPod = String.join(", ", refusal.messages());
    }
  }

  void add(Reason reason, int nodes) {
    if (nodes == 0) {
      return;
    }
    for (String message : reason.messages()) {
      counts.merge(message, nodes, Integer::sum);
    }
    plugins.add(reason.plugin());
    unresolvable += reason.preemptionMayHelp() ? 0 : nodes;
  }

  Map<String, Integer> counts() {
    return Collections.unmodifiableMap(counts);
  }

  Set<String> plugins() {
    return Collections.unmodifiableSet(plugins);
  }

  int unresolvable() {
    return unresolvable;
  }

  String ofPod() {
    return ofPod;
  }
}
