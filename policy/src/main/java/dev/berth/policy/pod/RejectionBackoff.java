package dev.berth.policy.pod;

import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * When a workload's pods are replaced that their nodes rejected. Unlike upstream's, whose
 * ReplicaSets and StatefulSets replace them at once: where a node and the scheduler disagree, as
 * long as one of them hears late of a taint or of a pod that has gone, each replacement goes to the
 * same node and is rejected as fast as requests are answered.
 *
 * <ol>
 *   <li>A pod was rejected if it failed before it had any container. Others, such as those that
 *       were evicted, are replaced at once.
 *   <li>The first is replaced at once, the next not before a second has gone by, and then each time
 *       twice as long, up to a minute. Those that were rejected meanwhile are replaced together.
 *   <li>After two minutes without a replacement it begins anew; so it does if the clock was set
 *       back, since nobody knows then how long ago the last one was.
 * </ol>
 *
 * @param delay how long after the last replacement there is no other
 * @param last when pods were last replaced
 * @param replaced UIDs of the rejected pods that are still there and have been replaced
 */
public record RejectionBackoff(Duration delay, Instant last, Set<String> replaced) {
  public static final RejectionBackoff NONE =
      new RejectionBackoff(Duration.ZERO, Instant.EPOCH, Set.of());

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration FORGIVEN = LONGEST.multipliedBy(2);

  public RejectionBackoff {
    replaced = Set.copyOf(replaced);
  }

  /** Whether a pod's node rejected it. */
  public static boolean isRejected(PodTree pod) {
    return pod.phase() == PodPhase.FAILED
        && pod.containerStatuses().isEmpty()
        && pod.initContainerStatuses().isEmpty();
  }

  /** From when on pods may be replaced. */
  public Instant until() {
    return last.plus(delay);
  }

  /** Whether a pod that was rejected is not replaced yet. */
  public boolean holds(String uid, Instant now) {
    return !replaced.contains(uid) && !now.isBefore(last) && now.isBefore(until());
  }

  /**
   * After replacing pods.
   *
   * @param rejected the UIDs of all that are there
   */
  public RejectionBackoff replacing(Set<String> rejected, Instant now) {
    if (replaced.containsAll(rejected)) {
      return having(rejected);
    }
    boolean isFirst = delay.isZero() || now.isBefore(last) || last.plus(FORGIVEN).isBefore(now);
    Duration doubled = isFirst ? FIRST : delay.multipliedBy(2);
    return new RejectionBackoff(doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST, now, rejected);
  }

  /**
   * When none is missing.
   *
   * @param rejected the UIDs of all that are there
   */
  public RejectionBackoff having(Set<String> rejected) {
    return replaced.equals(rejected) ? this : new RejectionBackoff(delay, last, rejected);
  }
}
