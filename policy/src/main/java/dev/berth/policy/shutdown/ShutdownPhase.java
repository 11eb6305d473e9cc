package dev.berth.policy.shutdown;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One step of a node's shutdown: the pods of a range of priorities, which end together.
 *
 * <ol>
 *   <li>Ranges end from the lowest priority to the highest, each when all pods of the one before
 *       have ended or have had their time.
 *   <li>A range without pods is left out, and nobody waits for it.
 *   <li>A pod gets its own grace period, but no more than its range has.
 *   <li>No range has more than its period, nor goes on after the end that it would have if all
 *       before it took all of theirs: so the whole never takes longer than the sum, not even if
 *       some time was lost in between.
 * </ol>
 *
 * @param priority the lowest of its range
 * @param grace the period of its range
 * @param latestEnd by when it must be over, from the beginning of the shutdown
 */
public record ShutdownPhase(int priority, Duration grace, Duration latestEnd, List<Pod> pods) {

  /**
   * A pod of the node.
   *
   * @param grace what it asks for
   */
  public record Pod(String uid, int priority, Duration grace) {}

  public ShutdownPhase {
    pods = List.copyOf(pods);
  }

  /** The phases of a shutdown; none if no periods are configured, as then nothing is ordered. */
  public static List<ShutdownPhase> of(ShutdownPeriods periods, List<Pod> pods) {
    List<ShutdownPhase> phases = new ArrayList<>();
    Duration end = Duration.ZERO;
    for (int i = 0; i < periods.periods().size(); i++) {
      ShutdownPeriods.Period period = periods.periods().get(i);
      end = end.plus(period.grace());
      int range = i;
      List<Pod> within =
          pods.stream().filter(pod -> periods.indexOf(pod.priority) == range).toList();
      if (!within.isEmpty()) {
        phases.add(new ShutdownPhase(period.priority(), period.grace(), end, within));
      }
    }
    return phases;
  }

  /** What it has if it begins so long after the beginning of the shutdown. */
  public Duration graceAfter(Duration elapsed) {
    Duration left = latestEnd.minus(elapsed);
    Duration least = left.compareTo(grace) < 0 ? left : grace;
    return least.isNegative() ? Duration.ZERO : least;
  }

  /** What each of its pods gets then, by uid. */
  public Map<String, Duration> gracesAfter(Duration elapsed) {
    Duration most = graceAfter(elapsed);
    Map<String, Duration> graces = new LinkedHashMap<>();
    pods.forEach(pod -> graces.put(pod.uid, pod.grace.compareTo(most) < 0 ? pod.grace : most));
    return graces;
  }
}
