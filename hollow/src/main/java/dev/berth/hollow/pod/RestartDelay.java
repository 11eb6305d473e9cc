package dev.berth.hollow.pod;

import dev.berth.model.resource.ObjectName;
import java.time.Duration;

/**
 * How long a container that ended waits before it is started again: not at all the first time, then
 * 10 s, twice as long each time, 5 min at most. One that ran for 10 min is forgiven.
 */
public final class RestartDelay {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration FORGIVEN = Duration.ofMinutes(10);

  /** Doubling more often than this is beyond the longest delay. */
  private static final int MOST_DOUBLINGS = 5;

  private RestartDelay() {}

  /**
   * How long it waits this time.
   *
   * @param restarts how often it was started again, not counting what was forgiven
   */
  public static Duration after(int restarts) {
    if (restarts == 0) {
      return Duration.ZERO;
    }
    Duration delay = FIRST.multipliedBy(1L << Math.min(restarts - 1, MOST_DOUBLINGS));
    return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
  }

  public static boolean isForgiven(Duration ran) {
    return ran.compareTo(FORGIVEN) >= 0;
  }

  /** The message in the status of a waiting container. */
  public static String message(Duration delay, String container, ObjectName pod, String uid) {
    long seconds = delay.toSeconds();
    String text = seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
    return "back-off %s restarting failed container=%s pod=%s_%s(%s)"
        .formatted(text, container, pod.name(), pod.namespace(), uid);
  }
}
