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

/** A write whose caller waits for its outcome. */
final class PendingWrite {

  private final long bytes;
  private final @Nullable WrittenForm form;
  private final Function<Draft, WriteResult> write;
  private final CompletableFuture<WriteResult> outcome = new CompletableFuture<>();
  private @Nullable WriteResult decision;

  /**
   * @param bytes about what it adds to a transaction
   * @param form how the value looks on disk; null if as it is
   * @param write decides it; run anew if the draft that it was decided on could not be committed
   */
  PendingWrite(long bytes, @Nullable WrittenForm form, Function<Draft, WriteResult> write) {
    this.bytes = bytes;
    this.form = form;
    this.write = write;
  }

  long bytes() {
    return bytes;
  }

  /**
   * Decides on top of a draft. What is decided must not be told before the draft is durable. A
   * failure is this write's alone: a draft takes a write in as a whole or not at all.
   */
  void decide(Draft draft) {
    try {
      decision = write.apply(draft);
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
