package dev.berth.agent.server;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes those who follow logs, so that they look at their files. One timer for all, and none while
 * nobody follows: a look at a file's length costs less than a watch of its directory, of which the
 * kernel gives each user a few only.
 */
final class LogTicker implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(100);

  private final Loop loop;
  private final Set<Runnable> followers = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ticking = new AtomicBoolean();

  LogTicker(Time time) {
    loop = time.start("log-ticker");
  }

  /**
   * @param wake told at each tick, until it is removed; it must be quick
   */
  void add(Runnable wake) {
    followers.add(wake);
    tickLater();
  }

  void remove(Runnable wake) {
    followers.remove(wake);
  }

  private void tickLater() {
    if (ticking.compareAndSet(false, true)) {
      loop.after(PACE, this::tick);
    }
  }

  private void tick() {
    ticking.set(false);
    followers.forEach(Runnable::run);
    if (!followers.isEmpty()) {
      tickLater();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
