package dev.berth.store.embedded;

import dev.berth.store.Draft;
import dev.berth.store.Store.WriteResult;
import dev.berth.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A write whose caller waits for its outcome. Without a value it is a delete. */
final class PendingWrite {

  private final String key;
  private final byte @Nullable [] value;
  private final long expected;
  private final CompletableFuture<WriteResult> outcome = new CompletableFuture<>();
  private @Nullable WriteResult decision;

  PendingWrite(String key, byte @Nullable [] value, long expected) {
    this.key = key;
    this.value = value;
    this.expected = expected;
  }

  /** About what it adds to a transaction. */
  long bytes() {
    return (long) key.length() + (value == null ? 0 : value.length);
  }

  /** Decides on top of a draft. What is decided must not be told before the draft is durable. */
  void decide(Draft draft) {
    try {
      decision = value == null ? draft.delete(key, expected) : draft.put(key, value, expected);
    } catch (IllegalArgumentException e) {
      outcome.completeExceptionally(e);
    }
  }

  void tell() {
    if (decision != null) {
      outcome.complete(decision);
    }
  }

  void fail(StoreException failure) {
    outcome.completeExceptionally(failure);
  }

  /** Waits for the outcome, interrupted or not: a write once queued cannot be taken back. */
  WriteResult await() {
    try {
      return outcome.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case StoreException s -> throw s;
        case IllegalArgumentException i -> throw i;
        case null, default -> throw e;
      }
    }
  }
}
