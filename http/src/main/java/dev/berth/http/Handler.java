package dev.berth.http;

/** Answers requests. Called on a virtual thread of its own for each request, so it may block. */
@FunctionalInterface
public interface Handler {

  /**
   * Answers one request before it returns. What it throws becomes a plain 500 and a report to the
   * {@link FailureListener}; so does answering nothing.
   */
  void handle(Exchange exchange) throws Exception;
}
