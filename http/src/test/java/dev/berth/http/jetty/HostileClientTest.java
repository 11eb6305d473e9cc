package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.ClientGoneException;
import dev.berth.http.ConnectionLimits;
import dev.berth.http.Handler;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that want more than their share. After each, others are served. */
class HostileClientTest {
  private static final Handler OK =
      exchange -> exchange.respond(Response.of(200, "text/plain", "ok".getBytes(UTF_8)));
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Long enough for a request of somebody else on a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final HttpLimits IMPATIENT = HttpLimits.DEFAULT.withTimes(SHORT, LONG, SHORT);

  private static void assertOthersAreServed(Loopback server) throws Exception {
    assertThat(server.get(Version.HTTP_1_1, "/").body()).isEqualTo("ok");
    assertThat(server.get(Version.HTTP_2, "/").body()).isEqualTo("ok");
  }

  @Test
  void oneHugeHeaderIsRefused() throws Exception {
    try (Loopback server = Loopback.serve(OK);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(66_000) + "\r\n\r\n");
      assertThat(client.answer()).isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
      assertOthersAreServed(server);
    }
  }

  @Test
  void thousandsOfHeadersAreRefused() throws Exception {
    try (Loopback server = Loopback.serve(OK);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET / HTTP/1.1\r\nHost: x\r\n" + "X-Some: value\r\n".repeat(10_000) + "\r\n");
      assertThat(client.answer()).isEqualTo("HTTP/1.1 431 Request Header Fields Too Large");
      assertOthersAreServed(server);
    }
  }

  @Test
  void thousandsOfHttp2HeadersAreRefusedAndTheConnectionGoesOn() throws Exception {
    CompletableFuture<Boolean> handled = new CompletableFuture<>();
    Handler handler =
        exchange -> {
          handled.complete(exchange.header("x-some").isPresent());
          OK.handle(exchange);
        };
    try (Loopback server = Loopback.serve(handler);
        Socket socket = server.rawTls("h2")) {
      RawHttp2 client = RawHttp2.over(socket).begin().send(RawHttp2.getWithHeaders(1, 10_000));
      assertThat(client.answer(1)).isEqualTo("431 Request Header Fields Too Large\n");
      assertThat(client.get(3, "/").answer(3)).isEqualTo("ok");
      assertThat(handled.get()).isFalse();
    }
  }

  @Test
  void headersJustBelowTheLimitAreServed() throws Exception {
    try (Loopback server = Loopback.serve(OK);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(60_000) + "\r\n\r\n");
      assertThat(client.answer()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nX-A: "})
  void aConnectionWithoutAWholeRequestIsClosedWhenIdle(String beginning) throws Exception {
    try (Loopback server = Loopback.serve(IMPATIENT, OK);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send(beginning).untilClosed();
      assertOthersAreServed(server);
    }
  }

  @Test
  void aConnectionWithoutAHandshakeIsClosedWhenIdle() throws Exception {
    try (Loopback server = Loopback.serve(IMPATIENT, OK);
        RawHttp1 client = new RawHttp1(server.rawTcp())) {
      client.untilClosed();
      assertOthersAreServed(server);
    }
  }

  @Test
  void plainHttpIsTurnedAway() throws Exception {
    try (Loopback server = Loopback.serve(OK);
        RawHttp1 client = new RawHttp1(server.rawTcp())) {
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(client.untilClosed()).doesNotContain("ok");
      assertOthersAreServed(server);
    }
  }

  /** Sends a byte whenever the server has said nothing for a moment, until it closes. */
  private static void trickle(RawHttp1 client, String bytes) throws IOException {
    Socket socket = client.socket();
    socket.setSoTimeout(20);
    InputStream in = socket.getInputStream();
    for (int i = 0; ; i++) {
      try {
        if (in.read() < 0) {
          return;
        }
      } catch (SocketTimeoutException _) {
        try {
          client.send(String.valueOf(bytes.charAt(i % bytes.length())));
        } catch (IOException _) {
          return;
        }
      } catch (IOException _) {
        return;
      }
    }
  }

  @Test
  void aRequestThatTricklesInIsCutOff() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withTimes(LONG, SHORT, SHORT);
    try (Loopback server = Loopback.serve(limits, OK)) {
      try (RawHttp1 client = RawHttp1.connect(server)) {
        trickle(client.send("GET / HTTP/1.1\r\nX: "), "a");
      }
      try (RawHttp1 client = RawHttp1.connect(server)) {
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.answer()).isEqualTo("HTTP/1.1 200 OK");
        trickle(client.send("GET / HTTP/1.1\r\nX: "), "a");
      }
      assertOthersAreServed(server);
    }
  }

  @Test
  void aBodyThatDoesNotComeIsGivenUp() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    Handler handler =
        exchange -> {
          if (exchange.method().equals("GET")) {
            OK.handle(exchange);
            return;
          }
          try {
            exchange.body(1000);
          } catch (ClientGoneException e) {
            seen.complete(e);
            throw e;
          }
        };
    try (Loopback server = Loopback.serve(IMPATIENT, handler);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
      assertThat(client.answer()).startsWith("HTTP/1.1 408");
      assertThat(seen.get()).isInstanceOf(ClientGoneException.class);
      assertThat(server.failures).isEmpty();
      assertOthersAreServed(server);
    }
  }

  /** Each byte makes the connection look busy, and it has been a good one until now. */
  @Test
  void aLaterHttp2BodyThatTricklesInIsGivenUp() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    Handler handler =
        exchange -> {
          if (exchange.method().equals("GET")) {
            OK.handle(exchange);
            return;
          }
          try {
            exchange.body(1_000_000);
          } catch (ClientGoneException e) {
            seen.complete(e);
            throw e;
          }
        };
    HttpLimits limits = HttpLimits.DEFAULT.withTimes(LONG, SHORT, SHORT);
    try (Loopback server = Loopback.serve(limits, handler);
        Socket socket = server.rawTls("h2")) {
      RawHttp2 client = RawHttp2.over(socket).begin().get(1, "/");
      assertThat(client.answer(1)).isEqualTo("ok");
      client.send(RawHttp2.postFrame(3));
      while (!seen.isDone()) {
        // A ping makes sure that the byte was taken before the next one.
        client.send(RawHttp2.dataFrame(3, 1)).ping();
      }
      assertThat(seen.get()).hasRootCauseMessage("The body did not arrive in time.");
      assertThat(client.get(5, "/").answer(5)).isEqualTo("ok");
      assertOthersAreServed(server);
    }
  }

  /** Answers, and takes whoever asks for "/known" as authenticated. */
  private static final Handler KNOWING =
      exchange -> {
        if (exchange.path().equals("/known")) {
          exchange.markAuthenticated();
        }
        OK.handle(exchange);
      };

  private static RawHttp1 asking(Loopback server, String path) throws IOException {
    RawHttp1 client = RawHttp1.connect(server);
    client.send("GET %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(path));
    assertThat(client.answer()).isEqualTo("HTTP/1.1 200 OK");
    return client;
  }

  @Test
  void whoNeverAskedForAnythingMakesRoomForOthers() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withConnections(new ConnectionLimits(100, 100, 100, 10));
    try (Loopback server = Loopback.serve(limits, KNOWING)) {
      RawHttp1 known = asking(server, "/known");
      List<Socket> silent = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        silent.add(server.rawTcp());
        assertOthersAreServed(server);
      }
      assertThat(silent.getFirst().getInputStream().read()).as("closed").isEqualTo(-1);
      known.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(known.answer()).as("never closed for others").isEqualTo("HTTP/1.1 200 OK");
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void onceAllAreAuthenticatedNewConnectionsAreRefused() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withConnections(new ConnectionLimits(3, 3, 3, 3));
    try (Loopback server = Loopback.serve(limits, KNOWING)) {
      List<RawHttp1> known = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        known.add(asking(server, "/known"));
      }
      Socket refused = server.rawTcp();
      assertThat(refused.getInputStream().read()).isEqualTo(-1);
      for (RawHttp1 client : known) {
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.answer()).isEqualTo("HTTP/1.1 200 OK");
        client.close();
      }
    }
  }

  @Test
  void rapidResetsEndTheirConnectionAndNoOther() throws Exception {
    int enhanceYourCalm = 0xb;
    HttpLimits limits = HttpLimits.DEFAULT.withHttp2EventsPerSecond(500);
    ByteArrayOutputStream flood = new ByteArrayOutputStream();
    for (int i = 0; i < 20_000; i++) {
      flood.writeBytes(RawHttp2.getFrame(2 * i + 1, "/"));
      flood.writeBytes(RawHttp2.resetFrame(2 * i + 1));
    }
    try (Loopback server = Loopback.serve(limits, OK)) {
      RawHttp2 client = RawHttp2.connect(server);
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(() -> {
            try {
              client.send(flood.toByteArray());
            } catch (IOException _) {
              // Cut off in the middle, as it should be.
            }
          });
      assertThat(client.untilGoAway()).isIn(enhanceYourCalm, -1);
      sent.get();
      assertOthersAreServed(server);
    }
  }

  @Test
  void cancellingManyWatchesAtOnceIsNoRapidReset() throws Exception {
    try (Loopback server = Loopback.serve(OK)) {
      RawHttp2 client = RawHttp2.connect(server);
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int i = 0; i < 1000; i++) {
        frames.writeBytes(RawHttp2.getFrame(2 * i + 1, "/"));
        frames.writeBytes(RawHttp2.resetFrame(2 * i + 1));
      }
      frames.writeBytes(RawHttp2.getFrame(2001, "/"));
      client.send(frames.toByteArray()).untilHeaders(2001);
    }
  }
}
