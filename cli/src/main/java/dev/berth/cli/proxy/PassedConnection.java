package dev.berth.cli.proxy;

import java.io.IOException;
import java.net.Socket;

/**
 * A connection of a client that is passed on to a server, byte by byte: TLS is between those two,
 * so that client certificates work and this process sees no secret. Two virtual threads copy, one
 * for each direction; whoever does not read holds up the other side, and nothing is stored.
 */
final class PassedConnection implements AutoCloseable {
  private final Socket client;
  private final Socket server;

  PassedConnection(Socket client, Socket server) {
    this.client = client;
    this.server = server;
  }

  /** Copies both ways until both sides have ended; blocks. */
  void run() throws InterruptedException {
    Thread answers = Thread.ofVirtual().name("proxy-answers").start(() -> copy(server, client));
    copy(client, server);
    answers.join();
    close();
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // Half a connection that broke is of no use to anybody.
      close();
    }
  }

  @Override
  public void close() {
    closeQuietly(client);
    closeQuietly(server);
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // Closed enough.
    }
  }
}
