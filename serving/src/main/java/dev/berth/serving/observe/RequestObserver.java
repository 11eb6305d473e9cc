package dev.berth.serving.observe;

/** Is told of requests, on the request's own thread, which waits for it. */
public interface RequestObserver {

  /** It is known what the request wants. Not called for one that nobody could make sense of. */
  default void understood(Observed request) {}

  /** It is known who sends the request. Not called for one whose sender could not prove it. */
  default void identified(Observed request) {}

  /** The answer has begun and may take for ever: a watch. */
  default void streaming(Observed request) {}

  /** The response is complete, or was given up. */
  default void ended(Observed request) {}
}
