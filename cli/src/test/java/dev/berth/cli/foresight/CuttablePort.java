package dev.berth.cli.foresight;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port that leads to another one, until it is cut: then connections end, and new ones end at
 * once, as those of who is cut off from a server.
 */
final class CuttablePort implements AutoCloseable {
  private final int target;
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;

  CuttablePort(int target) throws IOException {
    this.target = target;
    entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  void cut() {
    isCut = true;
    open.forEach(CuttablePort::end);
  }

  void heal() {
    isCut = false;
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        Socket client = entrance.accept();
        Thread.ofVirtual().start(() -> lead(client));
      } catch (IOException e) {
        // Closed, or a client that is gone already.
      }
    }
  }

  private void lead(Socket client) {
    Socket server = new Socket();
    open.add(client);
    open.add(server);
    try (client;
        server) {
      // Looked at after it is among those that are ended when the port is cut.
      if (isCut) {
        return;
      }
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      Thread answers = Thread.ofVirtual().start(() -> pass(server, client));
      pass(client, server);
      answers.join();
    } catch (IOException e) {
      // The server is gone, which the client notices by the end of its connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
      open.remove(server);
    }
  }

  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of the two has ended; then so does the other.
    } finally {
      end(from);
      end(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
