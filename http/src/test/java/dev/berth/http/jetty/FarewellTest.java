package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.Handler;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How a server that stops leaves its clients. */
class FarewellTest {

  @Test
  void anHttp2ConnectionOutlivesItsLastAnswerUntilTheClientHasSeenIt() throws Exception {
    CountDownLatch stopping = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          try (ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH)) {
            stream.onGone(stopping::countDown);
            stopping.await();
            stream.write("bye".getBytes(UTF_8));
          }
        };
    Loopback server = Loopback.serve(handler);
    CompletableFuture<Void> closed;
    try (Socket socket = server.rawTls("h2")) {
      RawHttp2 client = RawHttp2.over(socket).begin().get(1, "/watch").untilHeaders(1);
      closed = CompletableFuture.runAsync(server::close);
      // The answer is complete and nothing else runs, yet the connection still answers.
      assertThat(client.answer(1)).isEqualTo("bye");
      client.ping();
    }
    closed.get();
    assertThat(server.failures).isEmpty();
  }

  /** Clients cannot know yet, and have sent what may change something. */
  @Test
  void whatIsOnItsWayToAServerThatLeavesIsAnswered() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/slow")) {
            arrived.countDown();
            answer.await();
          }
          exchange.respond(new Response(200, Headers.NONE, List.of("done".getBytes(UTF_8))));
        };
    try (Loopback server = Loopback.serve(handler)) {
      CompletableFuture<Void> left;
      try (Socket socket = server.rawTls("h2");
          RawHttp1 old = RawHttp1.connect(server)) {
        RawHttp2 client = RawHttp2.over(socket).begin().get(1, "/slow");
        arrived.await();
        String get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        assertThat(old.send(get).answer()).isEqualTo("HTTP/1.1 200 OK");

        left = CompletableFuture.runAsync(() -> server.leave(Duration.ofMinutes(2)));
        assertThat(client.untilGoAway()).isZero();
        client.get(3, "/");
        assertThat(client.answer(3)).isEqualTo("done");
        assertThat(old.send(get).untilClosed())
            .startsWith("HTTP/1.1 200 OK")
            .contains("Connection: close");
        answer.countDown();
        assertThat(client.answer(1)).isEqualTo("done");
        assertThat(client.untilGoAway()).isZero();
        assertThatThrownBy(server::rawTcp).isInstanceOf(ConnectException.class);
      }
      // All have left, so nobody waits any longer.
      left.get();
    }
  }

  /** A connection that is accepted at the last moment is closed like any other. */
  @Test
  void noConnectionIsLeftOpenWithoutAnAnswer() throws Exception {
    for (int i = 0; i < 20; i++) {
      stopWhileClientsKnock();
    }
  }

  private static void stopWhileClientsKnock() throws Exception {
    Loopback server = Loopback.serve(exchange -> {});
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    CountDownLatch knocking = new CountDownLatch(20);
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(
          CompletableFuture.runAsync(() -> knock(address, knocking), Thread::startVirtualThread));
    }
    knocking.await();
    server.close();
    // Each has found the door closed, and nobody waits before it.
    CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get();
  }

  /** Connects again and again, and waits each time until the server closes, until it is gone. */
  private static void knock(InetSocketAddress address, CountDownLatch knocking) {
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(address);
        socket.setSoTimeout(120_000);
        socket.getOutputStream().write("not TLS at all\r\n\r\n".getBytes(UTF_8));
        knocking.countDown();
        while (socket.getInputStream().read() >= 0) {
          // A last word, perhaps.
        }
      } catch (ConnectException e) {
        return;
      } catch (SocketTimeoutException e) {
        throw new AssertionError("a connection was left open", e);
      } catch (IOException e) {
        // Closed one way or another.
      }
    }
  }
}
