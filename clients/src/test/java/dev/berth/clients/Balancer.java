package dev.berth.clients;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One address of several servers, as a TCP load balancer gives it: each connection is passed on to
 * the first server that takes it, and ends when that ends.
 */
final class Balancer implements AutoCloseable {
  private final ServerSocket listening;
  private final List<Integer> ports;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private Balancer(ServerSocket listening, List<Integer> ports) {
    this.listening = listening;
    this.ports = ports;
  }

  /**
   * Begins to pass connections on.
   *
   * @param ports of servers on this machine, the first of which is used while it is there
   */
  static Balancer start(Integer... ports) throws IOException {
    var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Balancer balancer = new Balancer(listening, List.of(ports));
    Thread.ofVirtual().name("balancer").start(balancer::accept);
    return balancer;
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> passOn(client));
      } catch (IOException e) {
        // It was closed, or the client has gone already.
      }
    }
  }

  private void passOn(Socket client) {
    try (client;
        Socket server = connect()) {
      open.add(client);
      open.add(server);
      Thread answers = Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
      answers.join();
      open.remove(client);
      open.remove(server);
    } catch (IOException e) {
      // No server is there: the client sees its connection end.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    IOException last = new IOException("there are no servers");
    for (int port : ports) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of them has gone, and so does the other.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
