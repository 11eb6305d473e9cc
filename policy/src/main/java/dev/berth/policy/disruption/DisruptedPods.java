package dev.berth.policy.disruption;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pods whose eviction was allowed but which are not seen to go yet. They count as gone, so that the
 * same disruption is not spent twice while the news of it travels. A pod that is terminating or
 * gone needs no such entry any more; one that is still there after two minutes was not evicted
 * after all. Unlike upstream, that is believed only if the server itself says so when asked, since
 * news of the pod's end may be late; otherwise budgets would be exceeded because of a slow watch.
 *
 * @param pending the pods and when their evictions were allowed
 * @param notDeleted the pods that were expected to go and did not
 * @param doubtful pods among the pending that should have gone by now
 * @param recheck when an entry will have to be looked at again
 */
record DisruptedPods(
    SortedMap<String, Instant> pending,
    List<String> notDeleted,
    List<String> doubtful,
    Optional<Instant> recheck) {
  /** How long after it was allowed an eviction is still believed in. */
  static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

  /**
   * @param confirmed names of pods that the server said are still there
   */
  static DisruptedPods of(
      Map<String, Instant> recorded, List<CountedPod> pods, Set<String> confirmed, Instant now) {
    List<String> doubtful = new ArrayList<>();
    Optional<Instant> recheck = Optional.empty();
    SortedMap<String, Instant> pending = new TreeMap<>();
    List<String> notDeleted = new ArrayList<>();
    for (CountedPod pod : pods) {
      Instant allowed = recorded.get(pod.name());
      if (allowed == null || pod.terminating()) {
        continue;
      }
      Instant expected = allowed.plus(DELETION_TIMEOUT);
      boolean expired = !now.isBefore(expected);
      if (expired && confirmed.contains(pod.name())) {
        notDeleted.add(pod.name());
        continue;
      }
      pending.put(pod.name(), allowed);
      if (expired) {
        doubtful.add(pod.name());
      }
      Instant next = expired ? now.plus(ASK_AGAIN) : expected;
      recheck = recheck.filter(other -> other.isBefore(next)).or(() -> Optional.of(next));
    }
    return new DisruptedPods(
        Collections.unmodifiableSortedMap(pending),
        List.copyOf(notDeleted),
        List.copyOf(doubtful),
        recheck);
  }

  /** How many pods are ready and stay. */
  long healthy(List<CountedPod> pods) {
    return pods.stream()
        .filter(p -> p.ready() && !p.terminating() && !pending.containsKey(p.name()))
        .count();
  }
}
