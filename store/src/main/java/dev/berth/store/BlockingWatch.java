package dev.berth.store;

import java.util.concurrent.Semaphore;

/**
 * A watch for a thread that wants to wait. Waiting parks the thread (a virtual one gives its
 * carrier back) and is ended by {@link #close}, never by interrupting anybody.
 *
 * <p>One thread takes; any thread may close.
 */
public final class BlockingWatch implements AutoCloseable {

  private final Semaphore ready = new Semaphore(0);
  private final Watch watch;

  public BlockingWatch(Store store, String prefix, long afterRevision) {
    watch = store.watch(prefix, afterRevision, ready::release);
  }

  /** Waits until there are events, at most {@code limit}, or the watch has ended. */
  public Watch.Poll take(int limit) throws InterruptedException {
    while (true) {
      Watch.Poll poll = watch.poll(limit);
      if (!(poll instanceof Watch.Poll.Events events && events.events().isEmpty())) {
        return poll;
      }
      ready.acquire();
      ready.drainPermits();
    }
  }

  /** Ends a {@link #take} under way and all later ones. */
  @Override
  public void close() {
    watch.close();
    ready.release();
  }
}
