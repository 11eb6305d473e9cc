package dev.berth.store.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question that many ask at once and that one request answers. An answer counts only for those
 * who asked before the request was sent: who comes while one is under way shares the next.
 */
final class Shared<T> {
  private final Supplier<CompletableFuture<T>> question;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean isUnderWay;
  private @Nullable CompletableFuture<T> next;

  Shared(Supplier<CompletableFuture<T>> question) {
    this.question = question;
  }

  CompletableFuture<T> ask() {
    CompletableFuture<T> mine;
    lock.lock();
    try {
      if (isUnderWay) {
        if (next == null) {
          next = new CompletableFuture<>();
        }
        return next;
      }
      isUnderWay = true;
      mine = new CompletableFuture<>();
    } finally {
      lock.unlock();
    }
    send(mine);
    return mine;
  }

  private void send(CompletableFuture<T> answer) {
    CompletableFuture<T> sent;
    try {
      sent = question.get();
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    var _ =
        sent.whenComplete((value, failure) -> {
          following();
          if (failure == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  private void following() {
    CompletableFuture<T> following;
    lock.lock();
    try {
      following = next;
      next = null;
      isUnderWay = following != null;
    } finally {
      lock.unlock();
    }
    if (following != null) {
      send(following);
    }
  }
}
