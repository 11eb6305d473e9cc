package dev.berth.http.jetty;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Writes of one response by one thread, which waits until each is done or until anybody releases
 * it.
 *
 * <p>The wait is our own and not Jetty's because a write that was cancelled completes there only
 * when the reset was sent, which takes for ever on a connection that nobody reads. After a release
 * Jetty may still hold the last buffer, so it must not be used again.
 */
final class BlockingWriter {
  private final Content.Sink sink;
  private final Stall stall;
  private final BulkTurns.Turn turn;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean writing;
  private boolean released;

  /** Does something about writes that do not end. Asked only if one does not end at once. */
  interface Stall {
    /** Called when a wait begins; cancelled when it ends. */
    Scheduler.Task begin(BlockingWriter writer);
  }

  BlockingWriter(Content.Sink sink, Stall stall) {
    this(sink, stall, BulkTurns.Turn.FREE);
  }

  /**
   * @param turn is over when something was handed over, before anybody waits
   */
  BlockingWriter(Content.Sink sink, Stall stall, BulkTurns.Turn turn) {
    this.sink = sink;
    this.stall = stall;
    this.turn = turn;
  }

  /** Returns whether the bytes were handed over to the network. */
  boolean write(boolean last, ByteBuffer bytes) {
    lock.lock();
    try {
      if (released) {
        return false;
      }
      writing = true;
    } finally {
      lock.unlock();
    }
    sink.write(
        last,
        bytes,
        Callback.from(
            Invocable.InvocationType.NON_BLOCKING, () -> written(true), _ -> written(false)));
    turn.end();
    Scheduler.Task watching = isWriting() ? stall.begin(this) : () -> false;
    lock.lock();
    try {
      while (writing && !released) {
        changed.awaitUninterruptibly();
      }
      return !released;
    } finally {
      lock.unlock();
      var _ = watching.cancel();
    }
  }

  /** Whether the network still holds bytes of ours; also after a release. */
  boolean isWriting() {
    lock.lock();
    try {
      return writing;
    } finally {
      lock.unlock();
    }
  }

  private void written(boolean success) {
    lock.lock();
    try {
      writing = false;
      released |= !success;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Makes the write that is running, and all later ones, return false. */
  void release() {
    lock.lock();
    try {
      released = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
