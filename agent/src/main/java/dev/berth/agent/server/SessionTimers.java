package dev.berth.agent.server;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;

/** Ends what clients do not end in time: requests that are half done, and good-byes. */
final class SessionTimers implements AutoCloseable {
  /** How long a client may take to open all streams that it has announced. */
  static final Duration STREAM_CREATION = Duration.ofSeconds(30);

  /** How long a client may take to leave after it was told the end. */
  static final Duration FAREWELL = Duration.ofSeconds(10);

  private final Loop loop;

  SessionTimers(Time time) {
    loop = time.start("session-timers");
  }

  /** Runs something, quick as closing a connection is, unless it is cancelled before. */
  Loop.Timer after(Duration delay, Runnable task) {
    return loop.after(delay, task);
  }

  @Override
  public void close() {
    loop.close();
  }
}
