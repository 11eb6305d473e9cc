package dev.berth.store.migration;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Does some writes at a time, so that a store can make many durable at once; the first that fails
 * ends it. Closing waits for all of them.
 */
final class ParallelWrites implements AutoCloseable {
  static final int WRITERS = 64;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore room = new Semaphore(WRITERS);
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  /** Waits until there is room, and then goes on at once. */
  void add(Runnable write) {
    throwFailure();
    room.acquireUninterruptibly();
    threads.execute(() -> {
      try {
        write.run();
      } catch (RuntimeException e) {
        failure.compareAndSet(null, e);
      } finally {
        room.release();
      }
    });
  }

  private void throwFailure() {
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public void close() {
    threads.close();
    throwFailure();
  }
}
