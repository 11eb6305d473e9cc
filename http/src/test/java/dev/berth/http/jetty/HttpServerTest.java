package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.Handler;
import dev.berth.http.Headers;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import dev.berth.http.Streaming;
import dev.berth.pki.ClusterCa;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers, over both versions of HTTP. */
class HttpServerTest {
  private static final Duration YEAR = Duration.ofDays(3650);

  private static Response text(String text) {
    return Response.of(200, "text/plain", text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void answersWithStatusHeadersAndBody(Version version) throws Exception {
    Handler handler =
        exchange ->
            exchange.respond(
                new Response(
                    201,
                    Headers.of("Content-Type", "application/json").with("X-One", "1"),
                    List.of("{\"a\":".getBytes(UTF_8), "1".getBytes(UTF_8), "}".getBytes(UTF_8))));
    try (Loopback server = Loopback.serve(handler)) {
      HttpResponse<String> answer = server.get(version, "/");
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.body()).isEqualTo("{\"a\":1}");
      assertThat(answer.headers().firstValue("content-type")).contains("application/json");
      assertThat(answer.headers().firstValue("x-one")).contains("1");
      assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(7);
      assertThat(answer.headers().firstValue("server")).isEmpty();
    }
  }

  /** As when somebody may not create what they are about to send. */
  @Test
  void whoIsRefusedBeforeTheBodyWasReadGetsTheAnswerAndNoReset() throws Exception {
    CountDownLatch refusing = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          refusing.countDown();
          exchange.respond(text("no"));
        };
    try (Loopback server = Loopback.serve(handler);
        Socket socket = server.rawTls("h2")) {
      RawHttp2 client = RawHttp2.over(socket).begin().send(RawHttp2.postFrame(1));
      refusing.await();
      for (int i = 0; i < 50; i++) {
        // Time enough for a hasty server.
        assertThat(client.typesUntilPing()).doesNotContain(RawHttp2.RST_STREAM);
      }
      client.send(RawHttp2.dataFrame(1, 1000)).send(RawHttp2.lastDataFrame(1, 1000));
      assertThat(client.answer(1)).isEqualTo("no");
      assertThat(client.typesUntilPing()).doesNotContain(RawHttp2.RST_STREAM);
    }
  }

  @ParameterizedTest
  @EnumSource
  void handsOverMethodHeadersBodyAndPeer(Version version) throws Exception {
    Handler handler =
        exchange ->
            exchange.respond(
                text(
                    String.join(
                        " ",
                        exchange.method(),
                        exchange.header("X-A").orElse("-"),
                        exchange.headers("x-a").toString(),
                        exchange.header("x-none").orElse("none"),
                        new String(exchange.body(100), UTF_8),
                        ((InetSocketAddress) exchange.remoteAddress()).getHostString())));
    try (Loopback server = Loopback.serve(handler);
        HttpClient client = Loopback.client(version)) {
      var request =
          server
              .request("/")
              .header("X-A", "1")
              .header("X-A", "2")
              .method("PATCH", BodyPublishers.ofString("the body"));
      assertThat(client.send(request.build(), BodyHandlers.ofString()).body())
          .isEqualTo("PATCH 1 [1, 2] none the body 127.0.0.1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/pods?limit=5, /api/v1/pods|limit=5",
    "/a/../b/./c, /a/../b/./c|-",
    "/a//b/%2e%2e/%2F%25, /a//b/%2e%2e/%2F%25|-",
    "/a;x=1/b?q=%20+&q=?, /a;x=1/b|q=%20+&q=?",
    "/?, /|",
  })
  void pathAndQueryAreAsTheyWereSent(String target, String seen) throws Exception {
    Handler handler =
        exchange -> exchange.respond(text(exchange.path() + "|" + exchange.query().orElse("-")));
    try (Loopback server = Loopback.serve(handler);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      assertThat(client.untilClosed()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + seen);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%zz", "/%", "/../etc", "x", "/\u0001"})
  void malformedPathsNeverReachTheHandler(String target) throws Exception {
    try (Loopback server = Loopback.serve(exchange -> exchange.respond(text("reached")));
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 400");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyOverTheLimitIsRefusedAndTheServerGoesOn(Version version) throws Exception {
    try (Loopback server =
            Loopback.serve(
                exchange -> exchange.respond(text("read " + exchange.body(1000).length)));
        HttpClient client = Loopback.client(version)) {
      var stream = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[1001]));
      for (var body : List.of(BodyPublishers.ofByteArray(new byte[3_000_000]), stream)) {
        HttpResponse<String> refused =
            client.send(server.request("/").PUT(body).build(), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).isEqualTo("413 Payload Too Large\n");
      }
      var request = server.request("/").PUT(BodyPublishers.ofByteArray(new byte[1000])).build();
      assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("read 1000");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEscapedExceptionIsA500AndAReport(Version version) throws Exception {
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/throw")) {
            throw new StackOverflowError("too deep");
          }
          if (!exchange.path().equals("/silent")) {
            exchange.respond(text("fine"));
          }
        };
    try (Loopback server = Loopback.serve(handler)) {
      HttpResponse<String> thrown = server.get(version, "/throw");
      assertThat(thrown.statusCode()).isEqualTo(500);
      assertThat(thrown.body()).isEqualTo("500 Server Error\n");
      assertThat(server.failures.take()).hasMessage("too deep");

      assertThat(server.get(version, "/silent").statusCode()).isEqualTo(500);
      assertThat(server.failures.take()).hasMessage("The handler returned without an answer.");
    }
  }

  @Test
  void theConnectionSurvivesAnEscapedException() throws Exception {
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/throw")) {
            throw new IllegalStateException("escaped");
          }
          exchange.respond(text("fine"));
        };
    try (Loopback server = Loopback.serve(handler);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 500");
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(client.answer()).startsWith("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @EnumSource
  void answeringTwiceIsReported(Version version) throws Exception {
    Handler handler =
        exchange -> {
          exchange.respond(text("first"));
          exchange.respond(text("second"));
        };
    try (Loopback server = Loopback.serve(handler)) {
      assertThat(server.get(version, "/x").body()).isEqualTo("first");
      assertThat(server.failures.take()).hasMessage("The request GET /x was answered twice.");
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientCertificatesAreHandedOverUnverified(Version version, @TempDir Path directory)
      throws Exception {
    BlockingQueue<List<X509Certificate>> seen = new LinkedBlockingQueue<>();
    Handler handler =
        exchange -> {
          seen.add(exchange.peerCertificates());
          exchange.respond(text(""));
        };
    var stranger = ClusterCa.open(directory, Loopback.NOW);
    var own = Loopback.CA.issueClient("me", List.of("us"), YEAR, Loopback.NOW);
    var expired = Loopback.CA.issueClient("me", List.of(), Duration.ofSeconds(1), Loopback.NOW);
    var foreign = stranger.issueClient("you", List.of(), YEAR, Loopback.NOW);
    try (Loopback server = Loopback.serve(handler)) {
      server.get(version, "/");
      assertThat(seen.take()).isEmpty();
      for (var credential : List.of(own, expired, foreign)) {
        try (HttpClient client = Loopback.client(version, credential)) {
          client.send(server.request("/").build(), BodyHandlers.discarding());
        }
        assertThat(seen.take()).containsExactly(credential.certificate());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_1_1, 131072, gzip, true",
    "HTTP_2, 131072, 'deflate, gzip;q=0.5', true",
    "HTTP_2, 131071, gzip, false",
    "HTTP_2, 131072, gzip;q=0, false",
    "HTTP_2, 131072, identity, false",
  })
  void largeBodiesAreCompressedForWhoAcceptsIt(
      Version version, int length, String accepts, boolean compressed) throws Exception {
    List<byte[]> parts = new ArrayList<>(Collections.nCopies(length / 1000, new byte[1000]));
    parts.add(new byte[length % 1000]);
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/bulk")) {
            try (var stream = exchange.stream(200, Headers.NONE, Streaming.BULK)) {
              parts.forEach(stream::write);
            }
          } else {
            exchange.respond(new Response(200, Headers.NONE, parts));
          }
        };
    try (Loopback server = Loopback.serve(handler);
        HttpClient client = Loopback.client(version)) {
      for (String path : List.of("/whole", "/bulk")) {
        var request = server.request(path).header("Accept-Encoding", accepts).build();
        HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("content-encoding").isPresent())
            .isEqualTo(compressed);
        assertThat(compressed ? unzip(answer.body()) : answer.body()).isEqualTo(new byte[length]);
      }
    }
  }

  private static byte[] unzip(byte[] bytes) throws IOException {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @EnumSource
  void headHasNoBody(Version version) throws Exception {
    try (Loopback server = Loopback.serve(exchange -> exchange.respond(text("12345")));
        HttpClient client = Loopback.client(version)) {
      var request = server.request("/").method("HEAD", BodyPublishers.noBody()).build();
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.body()).isEmpty();
      assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(5);
    }
  }

  @Test
  void anAddressInUseIsOneClearSentence() {
    try (Loopback server = Loopback.serve(_ -> {})) {
      var taken =
          new HttpConfig(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
              server.tls(),
              HttpLimits.DEFAULT,
              (_, _, _) -> {});
      assertThatThrownBy(() -> HttpServer.start(taken, _ -> {}).close())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(server.port() + " cannot be listened on");
    }
  }

  @Test
  void headerValuesCannotAddHeaders() {
    assertThatThrownBy(() -> Headers.of("X", "a\r\nSet-Cookie: b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Headers.of("X: y", "a")).isInstanceOf(IllegalArgumentException.class);
  }
}
