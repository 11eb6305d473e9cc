package dev.berth.store.embedded;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The writes that wait for the next transaction. Bounded: who comes when it is full waits outside,
 * so a slow disk slows its callers down instead of filling memory.
 */
final class WriteQueue {

  private static final int MAX_WAITING = 4096;

  /** A transaction of more than this would keep its first writers waiting for its last. */
  private static final int MAX_BATCH = 1024;

  private static final long MAX_BATCH_BYTES = 8L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition notFull = lock.newCondition();
  private final ArrayDeque<PendingWrite> waiting = new ArrayDeque<>();
  private boolean closed;

  /** False once the queue was closed. */
  boolean add(PendingWrite write) {
    lock.lock();
    try {
      while (waiting.size() >= MAX_WAITING && !closed) {
        notFull.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      waiting.add(write);
      if (waiting.size() == 1) {
        notEmpty.signal();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for at least one write; false means that the queue is closed and used up. */
  boolean awaitWrites() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        notEmpty.awaitUninterruptibly();
      }
      return !waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing waits and more may come. */
  boolean isIdle() {
    lock.lock();
    try {
      return waiting.isEmpty() && !closed;
    } finally {
      lock.unlock();
    }
  }

  /** What one transaction takes of those that wait. */
  List<PendingWrite> takeBatch() {
    lock.lock();
    try {
      List<PendingWrite> batch = new ArrayList<>();
      long bytes = 0;
      while (!waiting.isEmpty() && batch.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
        PendingWrite write = waiting.remove();
        bytes += write.bytes();
        batch.add(write);
      }
      notFull.signalAll();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      notEmpty.signalAll();
      notFull.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
