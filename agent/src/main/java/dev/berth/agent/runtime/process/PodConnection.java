package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Namespaces;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Connects to ports of pods from within their networks, where they listen on loopback, too. */
final class PodConnection {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "::1");

  private PodConnection() {}

  /**
   * @param network the namespace of the pod's network; empty for the machine's
   */
  static ByteChannel open(Optional<Path> network, int port) throws IOException {
    if (network.isEmpty()) {
      return connect(port);
    }
    // A socket belongs to the network in which it was made, whoever uses it later.
    return Namespaces.inThread(
        "pod-connection",
        () -> {
          Namespaces.enter(network.get(), Namespaces.NETWORK);
          return connect(port);
        });
  }

  private static SocketChannel connect(int port) throws IOException {
    IOException failure = new ConnectException("no loopback address");
    for (String address : LOOPBACK) {
      try {
        return SocketChannel.open(new InetSocketAddress(InetAddress.getByName(address), port));
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }
}
