package dev.berth.http;

/**
 * A response that is written piece by piece. One thread writes and closes; any thread may {@link
 * #abort}, and listeners run on threads of the server.
 *
 * <p>A writer that waits for its client cannot be interrupted, since interrupting a thread in
 * network I/O may close what others use; it is released by {@link #abort}.
 */
public interface ResponseStream extends AutoCloseable {

  /**
   * Sends bytes, now or at the next flush, and waits while the client does not take them.
   *
   * @param bytes nobody may change them afterwards
   * @return false when the client is gone or the stream was aborted: writing more is pointless
   */
  boolean write(byte[] bytes);

  /** Sends what was written. Returns false like {@link #write}. */
  boolean flush();

  /**
   * Runs something once, when the stream has to end before its writer ended it: the client left,
   * the stream was aborted, or the server is stopping. Runs it at once if that was already so. In
   * the last case the stream can still be written, and should be closed soon.
   */
  void onGone(Runnable listener);

  /** Breaks the stream off: the client sees an error, and a waiting writer returns. */
  void abort();

  /** Sends the rest and ends the response properly, unless the client is gone. */
  @Override
  void close();
}
