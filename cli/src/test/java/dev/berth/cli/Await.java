package dev.berth.cli;

import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** Waits for what nobody tells of, on a machine that others use, too. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private Await() {}

  /** Whether something is so; may read files and run processes. */
  public interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits until something has happened. */
  public static void until(String what, Condition condition) {
    try (WallTime time = new WallTime(FatalError::end)) {
      Instant began = time.monotonicNow();
      while (!holds(condition)) {
        if (time.since(began).compareTo(PATIENCE) > 0) {
          throw new AssertionError("In vain waited for: " + what);
        }
        LockSupport.parkNanos(LOOK_AGAIN.toNanos());
      }
    }
  }

  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
