package dev.berth.policy.flowcontrol;

import java.time.Instant;
import java.util.ArrayDeque;

/**
 * After how many seconds those who were refused shall try again: one, doubled while many are
 * refused, up to {@value #LONGEST}, and less by one each second once few are. Only whole seconds
 * that are over count.
 *
 * <p>Pure, for one thread at a time.
 */
public final class RetryAfter {
  private static final long LONGEST = 32;
  private static final long MANY = 3;

  private record Second(long second, long refused) {}

  private final ArrayDeque<Second> history = new ArrayDeque<>();
  private long second = Long.MIN_VALUE;
  private long refused;
  private long seconds = 1;
  private long raised = Long.MIN_VALUE / 2;

  /** Somebody is refused. */
  public long refused(Instant now) {
    long current = now.getEpochSecond();
    if (current == second) {
      refused++;
      return seconds;
    }
    if (second != Long.MIN_VALUE) {
      history.add(new Second(second, refused));
    }
    long oldest = current - Math.min(2 * seconds, LONGEST);
    history.removeIf(past -> past.second < oldest);
    second = current;
    refused = 1;
    adjust(current);
    return seconds;
  }

  private void adjust(long now) {
    long recent =
        history.stream()
            .filter(past -> now - past.second <= seconds)
            .mapToLong(Second::refused)
            .sum();
    if (now - raised >= seconds && recent >= MANY * seconds) {
      seconds = Math.min(2 * seconds, LONGEST);
      raised = now;
    } else if (recent < seconds && seconds > 1) {
      seconds--;
    }
  }
}
