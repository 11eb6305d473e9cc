package dev.berth.store.etcd;

import dev.berth.time.FatalError;
import java.util.List;

/** Wakes watchers, beside whoever publishes: the next writes need not wait for that. */
final class Wakes {

  private Wakes() {}

  static void run(List<Runnable> wakes) {
    if (!wakes.isEmpty()) {
      Thread.startVirtualThread(() -> wakes.forEach(Wakes::run));
    }
  }

  /** A watcher's mistake must not keep the others asleep. */
  private static void run(Runnable onReady) {
    try {
      onReady.run();
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
