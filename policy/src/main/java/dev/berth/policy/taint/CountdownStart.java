package dev.berth.policy.taint;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * From when a countdown runs, so that a toleration is never cut short.
 *
 * <p>What began it is written in whole seconds, cut off: it may have happened up to a second after
 * the time that was written, but not after somebody first saw it. So it counts from the earlier of
 * the two. Whoever saw it happen counts exactly, whatever the clock of the writer; whoever comes
 * later, after a restart say, counts a second more at most.
 */
public final class CountdownStart {
  /** The unit of times in objects. */
  private static final Duration UNIT = Duration.ofSeconds(1);

  private CountdownStart() {}

  /**
   * Of something that was written down.
   *
   * @param written when it happened, in whole seconds
   * @param seen when the one who counts first saw it
   */
  public static Instant of(Instant written, Instant seen) {
    Instant latest = written.plus(UNIT);
    return seen.isBefore(latest) ? seen : latest;
  }

  /**
   * Of something that was written down by the wall clock, on a clock that nobody sets.
   *
   * @param written null if it is not known when it happened: it counts from now
   */
  public static Instant monotonic(@Nullable Instant written, Instant now, Instant wallNow) {
    Instant began = written == null ? wallNow : of(written, wallNow);
    return now.minus(Duration.between(began, wallNow));
  }

  /**
   * Of a taint on a node; one without a time counts from when it was seen.
   *
   * @param seen when the one who counts first saw it there
   */
  public static Instant ofTaint(Taint taint, Instant seen) {
    return taint.timeAdded() == null ? seen : of(taint.timeAdded(), seen);
  }

  /**
   * Of a pod on its node: when it was bound, else when it was started there, else when it was
   * created, as one is that has its node from the beginning.
   *
   * @param seen when the one who counts first saw it there
   */
  public static Instant ofPod(PodTree pod, Instant seen) {
    return pod.condition(Condition.POD_SCHEDULED)
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .flatMap(condition -> Optional.ofNullable(condition.lastTransitionTime()))
        .or(pod::startTime)
        .or(() -> pod.metadata().creationTimestamp())
        .map(arrived -> of(arrived, seen))
        .orElse(seen);
  }
}
