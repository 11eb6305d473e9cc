package dev.berth.store;

import org.jspecify.annotations.Nullable;

/**
 * The medium failed: a full disk, a damaged file, a directory somebody else uses. The message is a
 * sentence for the operator that says what happened, where, and what to do.
 */
public final class StoreException extends RuntimeException {

  public StoreException(String message) {
    super(message);
  }

  /** The cause's own words, if there is a cause, follow the sentence in brackets. */
  public StoreException(String message, @Nullable Throwable cause) {
    super(cause == null ? message : message + " [" + wordsOf(cause) + "]", cause);
  }

  private static String wordsOf(Throwable cause) {
    String words = cause.getMessage();
    return words == null || words.isBlank() ? cause.getClass().getSimpleName() : words;
  }
}
