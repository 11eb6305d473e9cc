package dev.berth.policy.disruption;

import dev.berth.model.core.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pods whose eviction was allowed but which are not seen to go yet. They count as gone, so that the
 * same disruption is not spent twice while the news of it travels. A pod that is terminating or
 * gone needs no such entry any more; one that is still there after two minutes was not evicted
 * after all.
 *
 * @param pending the pods and when their evictions were allowed
 * @param notDeleted the pods that were expected to go and did not
 */
record DisruptedPods(SortedMap<String, Instant> pending, List<String> notDeleted) {
  /** How long after it was allowed an eviction is still believed in. */
  static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  static DisruptedPods of(Map<String, Instant> recorded, List<PodView> pods, Instant now) {
    SortedMap<String, Instant> pending = new TreeMap<>();
    List<String> notDeleted = new ArrayList<>();
    for (PodView pod : pods) {
      Instant allowed = recorded.get(pod.name());
      if (allowed == null || pod.terminating()) {
        continue;
      }
      if (now.isBefore(allowed.plus(DELETION_TIMEOUT))) {
        pending.put(pod.name(), allowed);
      } else {
        notDeleted.add(pod.name());
      }
    }
    return new DisruptedPods(Collections.unmodifiableSortedMap(pending), List.copyOf(notDeleted));
  }

  /** When an entry will have to be looked at again. */
  Optional<Instant> recheck() {
    return pending.values().stream()
        .min(Instant::compareTo)
        .map(allowed -> allowed.plus(DELETION_TIMEOUT));
  }

  /** How many pods are ready and stay. */
  long healthy(List<PodView> pods) {
    return pods.stream()
        .filter(p -> p.ready() && !p.terminating() && !pending.containsKey(p.name()))
        .count();
  }
}
