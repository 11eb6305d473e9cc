package dev.berth.store.embedded;

import dev.berth.store.Draft;
import dev.berth.store.Store;
import dev.berth.store.Store.WriteResult;
import dev.berth.store.StoreException;
import dev.berth.time.FatalError;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A write whose caller waits for its outcome. Without a value it is a delete. */
final class PendingWrite {

  private final String key;
  private final byte @Nullable [] value;
  private final long expected;
  private final @Nullable Function<Store.Entry, ?> view;
  private final @Nullable WrittenForm form;
  private final CompletableFuture<WriteResult> outcome = new CompletableFuture<>();
  private @Nullable WriteResult decision;

  private PendingWrite(
      String key,
      byte @Nullable [] value,
      long expected,
      @Nullable Function<Store.Entry, ?> view,
      @Nullable WrittenForm form) {
    this.key = key;
    this.value = value;
    this.expected = expected;
    this.view = view;
    this.form = form;
  }

  /**
   * Puts a value.
   *
   * @param form how the value looks on disk; null if as it is
   */
  static PendingWrite put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Store.Entry, ?> view,
      @Nullable WrittenForm form) {
    return new PendingWrite(key, value, expected, view, form);
  }

  static PendingWrite delete(String key, long expected) {
    return new PendingWrite(key, null, expected, null, null);
  }

  /** About what it adds to a transaction. */
  long bytes() {
    return (long) key.length() + (value == null ? 0 : value.length);
  }

  /**
   * Decides on top of a draft. What is decided must not be told before the draft is durable. A
   * failure is this write's alone: a draft takes a write in as a whole or not at all.
   */
  void decide(Draft draft) {
    try {
      decision =
          value == null ? draft.delete(key, expected) : draft.put(key, value, expected, view);
    } catch (RuntimeException | Error e) {
      FatalError.check(e);
      outcome.completeExceptionally(e);
    }
  }

  /** Notes how what was decided to be written looks on disk, if not as it is. */
  void noteForm(Map<Store.Entry, WrittenForm> forms) {
    if (form != null && decision instanceof WriteResult.Written written) {
      written.entry().ifPresent(entry -> forms.put(entry, form));
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
        case StoreException failure -> throw forCaller(failure);
        case RuntimeException wrong -> throw wrong;
        case Error wrong -> throw wrong;
        case null, default -> throw e;
      }
    }
  }

  /** Each caller gets an exception of its own: many may wait for what fails once. */
  private static StoreException forCaller(StoreException failure) {
    var own = new StoreException(String.valueOf(failure.getMessage()));
    own.initCause(failure);
    return own;
  }
}
