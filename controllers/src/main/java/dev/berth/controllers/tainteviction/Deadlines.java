package dev.berth.controllers.tainteviction;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose tolerations run out, by when they do.
 *
 * <p>Times of taints and tolerations count seconds, so that many pods share an instant: all pods of
 * a node that was lost, as a rule. There is one set for each instant, and one timer for all of
 * them, set to the earliest.
 */
final class Deadlines {
  private final Loop loop;
  private final Time time;
  private final Consumer<TrackedPod> due;
  private final NavigableMap<Instant, Set<TrackedPod>> pods = new TreeMap<>();
  private Loop.@Nullable Timer alarm;

  /**
   * @param due told each pod at its deadline, after which it has none
   */
  Deadlines(Loop loop, Time time, Consumer<TrackedPod> due) {
    this.loop = loop;
    this.time = time;
    this.due = due;
  }

  /** Gives a pod a deadline, in place of the one it has. */
  void set(TrackedPod pod, Instant deadline) {
    if (deadline.equals(pod.deadline)) {
      return;
    }
    clear(pod);
    pod.deadline = deadline;
    pods.computeIfAbsent(deadline, _ -> new LinkedHashSet<>()).add(pod);
    if (alarm == null || time.until(deadline).compareTo(alarm.remaining()) < 0) {
      setAlarm();
    }
  }

  /** Takes a pod's deadline away, if it has one. */
  void clear(TrackedPod pod) {
    Instant deadline = pod.deadline;
    if (deadline == null) {
      return;
    }
    pod.deadline = null;
    Set<TrackedPod> sharing = pods.get(deadline);
    if (sharing != null && sharing.remove(pod) && sharing.isEmpty()) {
      pods.remove(deadline);
    }
    // An alarm for nobody does no harm, and is cheaper than another for each pod that is spared.
  }

  private void setAlarm() {
    if (alarm != null) {
      alarm.cancel();
    }
    alarm = pods.isEmpty() ? null : loop.at(pods.firstKey(), this::ring);
  }

  private void ring() {
    alarm = null;
    Instant now = time.now();
    while (!pods.isEmpty() && !pods.firstKey().isAfter(now)) {
      for (TrackedPod pod : pods.pollFirstEntry().getValue()) {
        pod.deadline = null;
        due.accept(pod);
      }
    }
    setAlarm();
  }
}
