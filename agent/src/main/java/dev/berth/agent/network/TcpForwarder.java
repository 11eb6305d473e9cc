package dev.berth.agent.network;

import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes connections to a port of the machine on to a pod; two virtual threads for each. */
final class TcpForwarder implements AutoCloseable {
  private static final int BACKLOG = 128;

  private final ServerSocket server = new ServerSocket();
  private final InetSocketAddress target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  TcpForwarder(HostPort port, String address) throws IOException {
    target = new InetSocketAddress(InetAddress.getByName(address), port.containerPort());
    server.setReuseAddress(true);
    try {
      server.bind(listening(port), BACKLOG);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    Thread.ofVirtual().name("host-port-" + port.hostPort()).start(this::accept);
  }

  static InetSocketAddress listening(HostPort port) throws IOException {
    return port.hostAddress().isEmpty()
        ? new InetSocketAddress(port.hostPort())
        : new InetSocketAddress(InetAddress.getByName(port.hostAddress()), port.hostPort());
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> forward(client));
      } catch (IOException e) {
        // Closed, or a client that left at once.
      }
    }
  }

  private void forward(Socket client) {
    open.add(client);
    try (client;
        Socket pod = new Socket()) {
      open.add(pod);
      try {
        pod.connect(target);
        Thread back = Thread.ofVirtual().start(() -> copy(pod, client));
        copy(client, pod);
        back.join();
      } finally {
        open.remove(pod);
      }
    } catch (IOException e) {
      // The pod does not listen; the client sees its connection closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(TcpForwarder::closeQuietly);
  }
}
