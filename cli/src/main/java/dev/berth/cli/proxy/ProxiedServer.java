package dev.berth.cli.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One of the servers, and the connections that are passed on to it. For any thread. */
final class ProxiedServer {
  private static final int HTTPS = 443;
  private static final Duration CONNECT = Duration.ofSeconds(1);

  private final URI address;
  private final Set<PassedConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile State state = State.READY;

  private enum State {
    READY,
    LEAVING,
    CUT_OFF
  }

  ProxiedServer(URI address) {
    this.address = address;
  }

  URI address() {
    return address;
  }

  boolean isReady() {
    return state == State.READY;
  }

  /** Whether its connections were ended, and it was not ready since. */
  boolean isCutOff() {
    return state == State.CUT_OFF;
  }

  /** Connects, or fails within a second. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      int port = address.getPort() < 0 ? HTTPS : address.getPort();
      String host = address.getHost().replaceAll("[\\[\\]]", "");
      socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  void add(PassedConnection connection) {
    connections.add(connection);
  }

  void remove(PassedConnection connection) {
    connections.remove(connection);
  }

  /** New connections go elsewhere, if another server is ready; those that there are stay. */
  void leave() {
    state = State.LEAVING;
  }

  /** New connections come here again. */
  void becomeReady() {
    state = State.READY;
  }

  /**
   * New connections go elsewhere, if another server is ready, and those that there are end, so that
   * clients of a server that hangs do not wait for it.
   */
  void becomeUnready() {
    state = State.CUT_OFF;
    connections.forEach(PassedConnection::close);
  }
}
