package dev.berth.agent.probe;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call that blocks, by closing what it waits for: each read of a socket could have a timeout
 * of its own, but a peer that sends a byte now and then would never meet it. For any thread.
 */
public final class Cutoff {
  private final Duration limit;
  private final AtomicReference<@Nullable AutoCloseable> open = new AtomicReference<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /**
   * @param limit how long the call may take; zero if that is not limited
   */
  Cutoff(Duration limit) {
    this.limit = limit;
  }

  /** How long the call may take, for people. */
  Duration limit() {
    return limit;
  }

  /**
   * The one who calls has opened this, and will wait for it; it is closed if that came too late.
   */
  public void opened(AutoCloseable resource) {
    open.set(resource);
    if (isOver.get()) {
      close(resource);
    }
  }

  /** Whether the call was to end before it did by itself. */
  public boolean isOver() {
    return isOver.get();
  }

  /** Ends the call. */
  void end() {
    isOver.set(true);
    AutoCloseable resource = open.get();
    if (resource != null) {
      close(resource);
    }
  }

  private static void close(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception _) {
      // It is of no use any more, whether it closes or not.
    }
  }
}
