package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.Duplex;
import dev.berth.http.Exchange;
import dev.berth.http.Handler;
import dev.berth.http.Response;
import dev.berth.http.Upgrades;
import dev.berth.http.websocket.WebSocketHandshake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Connections that are taken over from HTTP. */
class UpgradeTest {
  private static final int LARGE = 3_000_000;

  /** Sends back whatever comes. */
  private static void echo(Exchange exchange) throws IOException {
    try (Duplex duplex = exchange.upgrade(Upgrades.accepted("echo"))) {
      byte[] bytes = new byte[1000];
      InputStream in = duplex.input();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        duplex.output().write(bytes, 0, read);
      }
    }
  }

  private static SSLSocket asked(Loopback server, String more) throws IOException {
    SSLSocket socket = server.rawTls("http/1.1");
    String request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
    socket.getOutputStream().write((request + more).getBytes(US_ASCII));
    return socket;
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
      head.write(in.read());
    }
    return head.toString(US_ASCII);
  }

  @Test
  void bytesGoBothWaysOnceItIsAccepted() throws IOException {
    try (Loopback server = Loopback.serve(UpgradeTest::echo);
        SSLSocket socket = asked(server, "")) {
      assertThat(head(socket.getInputStream()))
          .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
          .contains("Upgrade: echo", "Connection: Upgrade")
          .doesNotContain("Transfer-Encoding", "Content-Length");
      socket.getOutputStream().write("hello".getBytes(US_ASCII));
      assertThat(socket.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
      assertThat(server.failures).isEmpty();
    }
  }

  @Test
  void whatWasSentTooEarlyIsNotLost() throws IOException {
    try (Loopback server = Loopback.serve(UpgradeTest::echo);
        SSLSocket socket = asked(server, "early")) {
      head(socket.getInputStream());
      assertThat(socket.getInputStream().readNBytes(5)).asString().isEqualTo("early");
    }
  }

  @Test
  void theConnectionIsClosedWhenTheHandlerReturns() throws IOException {
    Handler brief =
        exchange -> exchange.upgrade(Upgrades.accepted("x")).output().write("bye".getBytes(UTF_8));
    try (Loopback server = Loopback.serve(brief);
        SSLSocket socket = asked(server, "")) {
      head(socket.getInputStream());
      assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("bye");
    }
  }

  @Test
  void aClientThatLeavesIsNoticed() throws Exception {
    CountDownLatch noticed = new CountDownLatch(1);
    Handler waiting =
        exchange -> {
          try (Duplex duplex = exchange.upgrade(Upgrades.accepted("x"))) {
            var _ = duplex.input().read();
          } finally {
            noticed.countDown();
          }
        };
    try (Loopback server = Loopback.serve(waiting)) {
      SSLSocket socket = asked(server, "");
      head(socket.getInputStream());
      socket.close();
      noticed.await();
    }
  }

  /** A client that reads nothing, and one that says nothing, do not hold up the end. */
  @Test
  void aServerThatStopsClosesUpgradedConnections() throws Exception {
    CountDownLatch ended = new CountDownLatch(2);
    Handler flood =
        exchange -> {
          try (Duplex duplex = exchange.upgrade(Upgrades.accepted("x"))) {
            byte[] bytes = new byte[100_000];
            while (true) {
              duplex.output().write(bytes);
            }
          } catch (IOException _) {
            ended.countDown();
          }
        };
    Handler silent =
        exchange -> {
          try (Duplex duplex = exchange.upgrade(Upgrades.accepted("x"))) {
            var _ = duplex.input().read();
          } catch (IOException _) {
            // That is an end, too.
          }
          ended.countDown();
        };
    Loopback flooding = Loopback.serve(flood);
    Loopback waiting = Loopback.serve(silent);
    try (SSLSocket one = asked(flooding, "");
        SSLSocket other = asked(waiting, "")) {
      head(one.getInputStream());
      head(other.getInputStream());
      flooding.close();
      waiting.close();
      ended.await();
    }
  }

  @Test
  void http2CannotBeUpgraded() throws Exception {
    Handler asking =
        exchange ->
            exchange.respond(
                Response.of(
                    200, "text/plain", Boolean.toString(exchange.isUpgradable()).getBytes(UTF_8)));
    try (Loopback server = Loopback.serve(asking)) {
      HttpResponse<String> answer = server.get(HttpClient.Version.HTTP_2, "/");
      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.body()).isEqualTo("false");
    }
  }

  /** A WebSocket whose messages come back, whole, under their kind. */
  private static void echoMessages(Exchange exchange) throws IOException {
    assertThat(WebSocketHandshake.problem(exchange)).isEmpty();
    try (var socket = WebSocketHandshake.accept(exchange, "")) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      var piece = socket.read();
      while (piece.isPresent()) {
        assertThat(piece.get().isFirst()).isEqualTo(message.size() == 0);
        message.writeBytes(piece.get().bytes());
        if (piece.get().isLast()) {
          if (piece.get().isText()) {
            socket.writeText(message.toByteArray());
          } else {
            socket.writeBinary(message.toByteArray());
          }
          message.reset();
        }
        piece = socket.read();
      }
    }
  }

  private static final class Received implements WebSocket.Listener {
    final BlockingQueue<Object> messages = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        messages.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
      byte[] bytes = new byte[data.remaining()];
      data.get(bytes);
      binary.writeBytes(bytes);
      if (last) {
        messages.add(binary.size());
        binary.reset();
      }
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
      messages.add("pong " + UTF_8.decode(data));
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      messages.add("closed " + code);
      return CompletableFuture.completedStage(null);
    }
  }

  @Test
  void messagesOfEverySizeArriveWhole() throws Exception {
    try (Loopback server = Loopback.serve(UpgradeTest::echoMessages);
        HttpClient client = Loopback.client(HttpClient.Version.HTTP_1_1)) {
      Received received = new Received();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(
                  server.uri("/").resolve("wss://127.0.0.1:" + server.port() + "/"), received)
              .get(120, TimeUnit.SECONDS);
      socket.sendText("one", true).join();
      assertThat(received.messages.take()).isEqualTo("one");
      socket.sendText("t", false).join();
      socket.sendPing(ByteBuffer.wrap("?".getBytes(UTF_8))).join();
      socket.sendText("wo", true).join();
      assertThat(received.messages.take()).isEqualTo("pong ?");
      assertThat(received.messages.take()).isEqualTo("two");
      for (int size : new int[] {0, 125, 126, 65_535, 65_536, LARGE}) {
        socket.sendBinary(ByteBuffer.allocate(size), true).join();
        assertThat(received.messages.take()).isEqualTo(size);
      }
      socket.sendClose(1000, "").join();
      assertThat(received.messages.take()).isEqualTo("closed 1000");
      assertThat(server.failures).isEmpty();
    }
  }

  @Test
  void whatIsNoWebSocketIsAnError() throws Exception {
    BlockingQueue<Optional<Throwable>> failures = new LinkedBlockingQueue<>();
    Handler reading =
        exchange -> {
          try (var socket =
              new dev.berth.http.websocket.WebSocket(
                  exchange.upgrade(Upgrades.accepted("websocket")))) {
            var _ = socket.read();
            failures.add(Optional.empty());
          } catch (IOException e) {
            failures.add(Optional.of(e));
          }
        };
    try (Loopback server = Loopback.serve(reading)) {
      byte[][] frames = {
        {(byte) 0x82, 1, 0}, // not masked
        {(byte) 0xC2, (byte) 0x81, 0, 0, 0, 0, 0}, // an extension
        {(byte) 0x80, (byte) 0x80, 0, 0, 0, 0}, // goes on without a beginning
        {(byte) 0x83, (byte) 0x80, 0, 0, 0, 0}, // of no kind
        {(byte) 0x89, (byte) 0xFE, 1, 0, 0, 0, 0, 0}, // a ping that is too long
        {(byte) 0x82, (byte) 0xFF, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, // negative
      };
      for (byte[] frame : frames) {
        try (SSLSocket socket = asked(server, "")) {
          head(socket.getInputStream());
          socket.getOutputStream().write(frame);
          assertThat(failures.take()).isPresent();
        }
      }
    }
  }
}
