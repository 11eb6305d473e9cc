package dev.berth.store.etcd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** The revision that the cache has reached, and who waits for it to reach one. */
final class Reached {

  private record Waiter(long revision, CompletableFuture<Void> done) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Waiter> waiters =
      new PriorityQueue<>(Comparator.comparingLong(Waiter::revision));
  private volatile long revision;

  Reached(long revision) {
    this.revision = revision;
  }

  long revision() {
    return revision;
  }

  /** Completed when the cache has reached a revision. */
  CompletableFuture<Void> when(long wanted) {
    if (revision >= wanted) {
      return CompletableFuture.completedFuture(null);
    }
    lock.lock();
    try {
      var done = new CompletableFuture<Void>();
      if (revision >= wanted) {
        done.complete(null);
      } else {
        waiters.add(new Waiter(wanted, done));
      }
      return done;
    } finally {
      lock.unlock();
    }
  }

  /** Nobody waits for it any more. */
  void forget(CompletableFuture<Void> done) {
    lock.lock();
    try {
      done.cancel(false);
      waiters.removeIf(waiter -> waiter.done.isDone());
    } finally {
      lock.unlock();
    }
  }

  void advance(long to) {
    List<Waiter> ready = new ArrayList<>();
    lock.lock();
    try {
      revision = Math.max(revision, to);
      while (!waiters.isEmpty() && waiters.peek().revision <= revision) {
        ready.add(waiters.poll());
      }
    } finally {
      lock.unlock();
    }
    ready.forEach(waiter -> waiter.done.complete(null));
  }
}
