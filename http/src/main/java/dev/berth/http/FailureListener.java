package dev.berth.http;

import java.net.SocketAddress;

/** Is told what goes wrong while serving. */
@FunctionalInterface
public interface FailureListener {

  /** A handler let an exception escape, which is a bug. Called on the request's thread. */
  void onHandlerFailure(String method, String path, Throwable cause);

  /** A client connected, but no connection came of it. Called on one of the server's threads. */
  default void onHandshakeFailure(SocketAddress client, Throwable cause) {}

  /**
   * A connection was closed because there were too many. Called on one of the server's threads.
   *
   * @param client whose connection it was
   */
  default void onConnectionRefused(SocketAddress client, String reason) {}
}
