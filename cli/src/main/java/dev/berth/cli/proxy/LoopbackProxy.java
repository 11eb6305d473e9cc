package dev.berth.cli.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on loopback and passes each connection on to one of several servers, in turn. A server
 * that is not ready is asked only if no other can be reached.
 *
 * <p>One thread accepts; each connection has virtual threads of its own. Who comes while all places
 * are taken waits in the system's queue.
 */
final class LoopbackProxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyCommand.NAME);
  private static final int WAITING = 128;
  private static final int AT_ONCE = 4_096;

  private final List<ProxiedServer> servers;
  private final ServerSocket listener;
  private final AtomicInteger turn = new AtomicInteger();
  private final Semaphore places = new Semaphore(AT_ONCE);

  private LoopbackProxy(List<ProxiedServer> servers, ServerSocket listener) {
    this.servers = servers;
    this.listener = listener;
  }

  /**
   * @param port 0 for any that is free
   */
  static LoopbackProxy start(int port, List<ProxiedServer> servers) {
    try {
      ServerSocket listener = new ServerSocket(port, WAITING, InetAddress.getLoopbackAddress());
      LoopbackProxy proxy = new LoopbackProxy(List.copyOf(servers), listener);
      Thread.ofVirtual().name("proxy-accept").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot listen on 127.0.0.1:%d: %s".formatted(port, e.getMessage()), e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      places.acquireUninterruptibly();
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().name("proxy-requests").start(() -> serve(client));
      } catch (IOException e) {
        places.release();
        if (!listener.isClosed()) {
          LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot accept a connection");
        }
      }
    }
  }

  private void serve(Socket client) {
    try {
      pass(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      PassedConnection.closeQuietly(client);
      places.release();
    }
  }

  private void pass(Socket client) throws InterruptedException {
    for (ProxiedServer server : inTurn()) {
      boolean wasReady = server.isReady();
      Optional<Socket> socket = connected(server);
      if (socket.isPresent()) {
        PassedConnection connection = new PassedConnection(client, socket.get());
        server.add(connection);
        if (wasReady && server.isCutOff()) {
          // It was cut off meanwhile, and would not end this one again.
          connection.close();
        }
        try {
          connection.run();
        } finally {
          server.remove(connection);
        }
        return;
      }
    }
  }

  private static Optional<Socket> connected(ProxiedServer server) {
    try {
      return Optional.of(server.connect());
    } catch (IOException e) {
      LOG.atDebug()
          .addKeyValue("server", server.address())
          .addKeyValue("reason", e.getMessage())
          .log("cannot be reached");
      return Optional.empty();
    }
  }

  /** All servers, beginning with whose turn it is; those that are not ready come last. */
  private List<ProxiedServer> inTurn() {
    int first = Math.floorMod(turn.getAndIncrement(), servers.size());
    List<ProxiedServer> ready = new ArrayList<>();
    List<ProxiedServer> others = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      ProxiedServer server = servers.get((first + i) % servers.size());
      (server.isReady() ? ready : others).add(server);
    }
    ready.addAll(others);
    return ready;
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException _) {
      // Closed enough.
    }
    servers.forEach(ProxiedServer::becomeUnready);
  }
}
