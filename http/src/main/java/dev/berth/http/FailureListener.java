package dev.berth.http;

/** Takes note of exceptions that handlers let escape. Called on the request's thread. */
@FunctionalInterface
public interface FailureListener {

  void onHandlerFailure(String method, String path, Throwable cause);
}
