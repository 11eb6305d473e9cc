package dev.berth.http.jetty;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.IO;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections, and leaves none behind: one that is accepted while the server stops would
 * stay open for ever, with a client that waits for an answer.
 *
 * <ul>
 *   <li>The selector accepts. Threads that wait for connections would be interrupted, and Java
 *       forgets a connection that it accepts at that moment.
 *   <li>All connections are remembered and closed at the end. Jetty closes those that it knows when
 *       it is told to stop, and then opens those that it had just accepted.
 * </ul>
 *
 * <p>The system looks for clients that vanished without a word, such as in a power cut.
 */
final class Connector extends ServerConnector {
  private static final int IDLE_SECONDS = 30;
  private static final int INTERVAL_SECONDS = 15;

  private static final int MANY = 1_000;

  private final Set<SocketChannel> accepted = ConcurrentHashMap.newKeySet();

  private @Nullable ServerSocketChannel listener;

  /** At how many to forget those that were closed; used by the selector alone. */
  private int many = MANY;

  Connector(Server server, ConnectionFactory... factories) {
    super(server, 0, 1, factories);
  }

  @Override
  protected void configure(Socket socket) {
    super.configure(socket);
    if (accepted.size() >= many) {
      accepted.removeIf(channel -> !channel.isOpen());
      many = Math.max(MANY, 2 * accepted.size());
    }
    accepted.add(socket.getChannel());
    try {
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
    } catch (SocketException _) {
      // The connection is closing already.
    } catch (IOException | UnsupportedOperationException _) {
      // Systems without these options have times of their own.
    }
  }

  @Override
  protected ServerSocketChannel openAcceptChannel() throws IOException {
    listener = super.openAcceptChannel();
    return listener;
  }

  /** Refuses connections from now on. Jetty closes what it accepts from only when it stops. */
  void stopListening() {
    // The selector lets go of it; until then, what is closed would go on to listen.
    setAccepting(false);
    IO.close(listener);
  }

  /** Closes what nobody else will, when the server has stopped. */
  void closeAll() {
    accepted.forEach(IO::close);
  }
}
