package dev.berth.agent.runtime.process;

import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what the kernel does soon and tells nobody of. */
final class Await {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

  private Await() {}

  /** Whether something came true within a time. */
  static boolean until(Time time, Duration patience, BooleanSupplier condition) {
    Instant began = time.monotonicNow();
    while (!condition.getAsBoolean()) {
      if (time.since(began).compareTo(patience) > 0) {
        return false;
      }
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
    return true;
  }
}
