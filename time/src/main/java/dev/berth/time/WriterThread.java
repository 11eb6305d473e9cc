package dev.berth.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines on a thread of its own, all that wait at once: a slow disk, a pipe that nobody reads
 * and a terminal that was stopped must not hold up whoever has something to write. The queue is
 * bounded; what does not fit is refused, or waits ({@link #put}).
 *
 * <p>The thread ends when it is closed, or when the output throws, which is a bug. Then the batch
 * is lost, whoever started the thread is told, and may start it afresh: the queue is still there.
 *
 * <p>All methods may be called by any thread.
 */
public final class WriterThread<T> {

  /** Where lines go. */
  @FunctionalInterface
  public interface Output<T> {
    /** Writes some, in order. Called by one thread. */
    void write(List<T> batch);
  }

  private sealed interface Waiting<T> {
    record Line<T>(T line) implements Waiting<T> {}

    /** Somebody who wants to know when all before it were written. */
    record Marker<T>(CountDownLatch reached) implements Waiting<T> {}
  }

  /** How often those who wait for room look whether there will be any. */
  private static final Duration CLOSED_CHECK = Duration.ofMillis(100);

  private final String name;
  private final Output<T> output;
  private final BlockingQueue<Waiting<T>> waiting;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Thread thread;
  private volatile boolean closed;

  /** Does not start yet. */
  public WriterThread(String name, int mostWaiting, Output<T> output) {
    this.name = name;
    this.output = output;
    this.waiting = new LinkedBlockingQueue<>(mostWaiting);
  }

  /** False if too many wait already. Never waits itself. */
  public boolean offer(T line) {
    return waiting.offer(new Waiting.Line<>(line));
  }

  /**
   * Waits until there is room, also while the thread is not running.
   *
   * @return false if it was closed meanwhile: nobody will write the line
   */
  public boolean put(T line) throws InterruptedException {
    Waiting<T> entry = new Waiting.Line<>(line);
    while (!closed) {
      if (waiting.offer(entry, CLOSED_CHECK.toMillis(), TimeUnit.MILLISECONDS)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Starts the thread, or starts it afresh after a failure; if it runs, nothing happens.
   *
   * @param onFailure is told what the output threw, on the thread that ends
   */
  public void start(Consumer<Throwable> onFailure) {
    lock.lock();
    try {
      if (thread == null) {
        thread = Thread.ofPlatform().name(name).daemon().start(() -> run(onFailure));
      }
    } finally {
      lock.unlock();
    }
  }

  private void run(Consumer<Throwable> onFailure) {
    try {
      while (true) {
        writeBatch();
      }
    } catch (InterruptedException _) {
      // Closed.
    } catch (Throwable t) {
      FatalError.check(t);
      ended();
      onFailure.accept(t);
    }
  }

  private void ended() {
    lock.lock();
    try {
      thread = null;
    } finally {
      lock.unlock();
    }
  }

  private void writeBatch() throws InterruptedException {
    List<Waiting<T>> taken = new ArrayList<>();
    taken.add(waiting.take());
    waiting.drainTo(taken);
    List<T> lines = new ArrayList<>(taken.size());
    List<CountDownLatch> markers = new ArrayList<>();
    for (Waiting<T> each : taken) {
      switch (each) {
        case Waiting.Line<T>(T line) -> lines.add(line);
        case Waiting.Marker<T>(CountDownLatch reached) -> markers.add(reached);
      }
    }
    try {
      if (!lines.isEmpty()) {
        output.write(lines);
      }
    } finally {
      markers.forEach(CountDownLatch::countDown);
    }
  }

  /**
   * Waits until all that was offered so far is written or lost, but no longer than a while for
   * there to be room and as long again for the writing.
   *
   * @return false if that was too short
   */
  public boolean flush(Duration patience) throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    return waiting.offer(new Waiting.Marker<>(reached), patience.toMillis(), TimeUnit.MILLISECONDS)
        && reached.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Flushes and ends the thread.
   *
   * @return false if it was still writing when patience ran out
   */
  public boolean close(Duration patience) {
    try {
      boolean flushed = flush(patience);
      Thread ending = thread();
      if (ending != null) {
        ending.interrupt();
      }
      return flushed;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      closed = true;
    }
  }

  private @Nullable Thread thread() {
    lock.lock();
    try {
      return thread;
    } finally {
      lock.unlock();
    }
  }
}
