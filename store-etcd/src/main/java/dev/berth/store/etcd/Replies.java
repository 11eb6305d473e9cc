package dev.berth.store.etcd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what a future brings, on the thread that needs it. */
final class Replies {

  private Replies() {}

  /**
   * What it brings.
   *
   * @throws EtcdException if it failed, or took longer
   */
  static <T> T await(CompletableFuture<T> future, Duration patience) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          // What was sent cannot be taken back, so it is waited for all the same.
          interrupted = true;
        } catch (TimeoutException e) {
          throw new EtcdException(
              EtcdException.Kind.NO_ANSWER, "no answer within " + patience.toMillis() + " ms", e);
        } catch (ExecutionException e) {
          throw failure(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Each who waits gets an exception of its own. */
  private static RuntimeException failure(@Nullable Throwable cause) {
    return cause instanceof EtcdException e
        ? new EtcdException(e.kind(), String.valueOf(e.getMessage()), e)
        : new EtcdException(EtcdException.Kind.NO_ANSWER, String.valueOf(cause), cause);
  }
}
