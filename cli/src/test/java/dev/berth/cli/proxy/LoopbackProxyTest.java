package dev.berth.cli.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections through a proxy to servers that say their name, and then repeat what they hear. */
class LoopbackProxyTest {
  private Named one;
  private Named two;
  private ProxiedServer toOne;
  private ProxiedServer toTwo;
  private LoopbackProxy proxy;

  /** A server with a name of three letters. */
  private static final class Named implements AutoCloseable {
    private final ServerSocket listener;
    private final CompletableFuture<Void> accepting;

    Named(String name) throws IOException {
      listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      accepting = CompletableFuture.runAsync(() -> serve(name), Thread::startVirtualThread);
    }

    private void serve(String name) {
      while (!listener.isClosed()) {
        try {
          Socket socket = listener.accept();
          Thread.ofVirtual().start(() -> repeat(name, socket));
        } catch (IOException _) {
          // Closed.
        }
      }
    }

    private static void repeat(String name, Socket socket) {
      try (socket) {
        socket.getOutputStream().write(name.getBytes(UTF_8));
        socket.getInputStream().transferTo(socket.getOutputStream());
      } catch (IOException _) {
        // The client has gone.
      }
    }

    URI address() {
      return URI.create("https://127.0.0.1:" + listener.getLocalPort());
    }

    /** Nobody can connect any more when this returns: accepting may get one connection more. */
    @Override
    public void close() throws IOException {
      listener.close();
      accepting.join();
    }
  }

  @BeforeEach
  void start() throws IOException {
    one = new Named("one");
    two = new Named("two");
    toOne = new ProxiedServer(one.address());
    toTwo = new ProxiedServer(two.address());
    proxy = LoopbackProxy.start(0, List.of(toOne, toTwo));
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    one.close();
    two.close();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  private static String read(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), UTF_8);
  }

  private String askedServer() throws IOException {
    try (Socket socket = connect()) {
      return read(socket, 3);
    }
  }

  @Test
  void serversTakeTurns() throws IOException {
    assertThat(List.of(askedServer(), askedServer(), askedServer(), askedServer()))
        .containsExactly("one", "two", "one", "two");
  }

  @Test
  void bytesPassBothWaysAndTheEndDoesToo() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write("hello".getBytes(UTF_8));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).isEqualTo("onehello");
    }
  }

  @Test
  void aServerThatCannotBeReachedIsPassedOver() throws IOException {
    one.close();
    assertThat(List.of(askedServer(), askedServer())).containsExactly("two", "two");
  }

  @Test
  void connectionsToAServerThatIsNotReadyEndAndNewOnesGoElsewhere() throws IOException {
    try (Socket socket = connect()) {
      assertThat(read(socket, 3)).isEqualTo("one");
      toOne.becomeUnready();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(List.of(askedServer(), askedServer())).containsExactly("two", "two");
    toOne.becomeReady();
    assertThat(List.of(askedServer(), askedServer())).contains("one");
  }

  @Test
  void connectionsToAServerThatStopsStayAndNewOnesGoElsewhere() throws IOException {
    try (Socket socket = connect()) {
      assertThat(read(socket, 3)).isEqualTo("one");
      toOne.leave();
      socket.getOutputStream().write("hello".getBytes(UTF_8));
      assertThat(read(socket, 5)).isEqualTo("hello");
    }
    assertThat(List.of(askedServer(), askedServer())).containsExactly("two", "two");
  }

  @Test
  void ifNoneIsReadyOneThatCanBeReachedIsBetterThanNone() throws IOException {
    toOne.becomeUnready();
    toTwo.becomeUnready();
    one.close();
    assertThat(List.of(askedServer(), askedServer())).containsExactly("two", "two");
  }
}
