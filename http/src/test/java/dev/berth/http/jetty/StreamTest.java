package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.http.Exchange;
import dev.berth.http.Handler;
import dev.berth.http.Headers;
import dev.berth.http.HttpLimits;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses that are written bit by bit, and how they end. */
class StreamTest {
  private static final String END = "";

  /** A watch that sends the lines of its queue until the empty one or until it has to end. */
  private static final class Watch implements Handler {
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    final CountDownLatch gone = new CountDownLatch(1);
    final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public void handle(Exchange exchange) throws InterruptedException {
      if (exchange.path().equals("/other")) {
        exchange.respond(Response.of(200, "text/plain", "other".getBytes(UTF_8)));
        return;
      }
      try (ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH)) {
        stream.onGone(() -> {
          gone.countDown();
          lines.add(END);
        });
        for (String line = lines.take(); !line.equals(END); line = lines.take()) {
          stream.write((line + "\n").getBytes(UTF_8));
          stream.flush();
        }
      }
      ended.countDown();
    }
  }

  private static HttpResponse<InputStream> open(Loopback server, HttpClient client)
      throws IOException, InterruptedException {
    return client.send(server.request("/watch").build(), BodyHandlers.ofInputStream());
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void eachFlushReachesTheClientAtOnceAndTheEndIsClean(Version version) throws Exception {
    Watch watch = new Watch();
    try (Loopback server = Loopback.serve(watch);
        HttpClient client = Loopback.client(version)) {
      // The headers arrive before there is anything to tell.
      BufferedReader reader = reader(open(server, client));
      watch.lines.add("one");
      assertThat(reader.readLine()).isEqualTo("one");
      String large = "x".repeat(100_000);
      watch.lines.add(large);
      assertThat(reader.readLine()).isEqualTo(large);
      watch.lines.add(END);
      assertThat(reader.readLine()).isNull();
      watch.ended.await();
      assertThat(watch.gone.getCount()).isEqualTo(1);
      assertThat(server.failures).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWatchMayBeSilentForLongerThanTheIdleTime(Version version) throws Exception {
    Watch watch = new Watch();
    HttpLimits limits =
        HttpLimits.DEFAULT.withTimes(
            Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(1));
    try (Loopback server = Loopback.serve(limits, watch);
        HttpClient client = Loopback.client(version);
        RawHttp1 idle = RawHttp1.connect(server)) {
      HttpResponse<InputStream> response = open(server, client);
      // This connection has no watch, opened later, and is closed for being idle.
      idle.untilClosed();
      try (RawHttp1 again = RawHttp1.connect(server)) {
        again.untilClosed();
      }
      watch.lines.add("still here");
      assertThat(reader(response).readLine()).isEqualTo("still here");
      response.body().close();
      watch.gone.await();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatCancelsIsNoticed(Version version) throws Exception {
    Watch watch = new Watch();
    try (Loopback server = Loopback.serve(watch);
        HttpClient client = Loopback.client(version)) {
      HttpResponse<InputStream> response = open(server, client);
      response.body().close();
      watch.gone.await();
      watch.ended.await();
      assertThat(client.send(server.request("/other").build(), BodyHandlers.ofString()).body())
          .isEqualTo("other");
    }
  }

  @Test
  void aClientThatClosesItsHttp1ConnectionIsNoticed() throws Exception {
    Watch watch = new Watch();
    try (Loopback server = Loopback.serve(watch)) {
      try (RawHttp1 client = RawHttp1.connect(server)) {
        client.send("GET /watch HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(client.line()).startsWith("HTTP/1.1 200");
        // What is no request is dropped, and the watch goes on.
        client.send("junk");
        watch.lines.add("one");
        assertThat(watch.gone.getCount()).isEqualTo(1);
      }
      watch.gone.await();
    }
  }

  @Test
  void aClientWhoseSocketDiesWithoutTlsFarewellIsNoticed() throws Exception {
    for (String protocol : List.of("http/1.1", "h2")) {
      Watch watch = new Watch();
      try (Loopback server = Loopback.serve(watch)) {
        var socket = server.rawTcp();
        try (var tls = server.tlsOver(socket, protocol)) {
          if (protocol.equals("h2")) {
            RawHttp2.over(tls).begin().get(1, "/watch").untilHeaders(1);
          } else {
            assertThat(new RawHttp1(tls).send("GET /watch HTTP/1.1\r\nHost: x\r\n\r\n").line())
                .startsWith("HTTP/1.1 200");
          }
          socket.setSoLinger(true, 0);
          socket.close();
        }
        watch.gone.await();
      }
    }
  }

  /** Takes the headers and then nothing, so that the windows of TCP and HTTP/2 fill up. */
  private static HttpResponse.BodyHandler<Void> readsNothing(CompletableFuture<Void> began) {
    return _ ->
        HttpResponse.BodySubscribers.fromSubscriber(
            new Flow.Subscriber<List<ByteBuffer>>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {
                began.complete(null);
              }

              @Override
              public void onNext(List<ByteBuffer> item) {}

              @Override
              public void onError(Throwable throwable) {}

              @Override
              public void onComplete() {}
            });
  }

  @ParameterizedTest
  @EnumSource
  void aWriterWhoseClientNeverReadsIsReleasedByAbort(Version version) throws Exception {
    CompletableFuture<ResponseStream> opened = new CompletableFuture<>();
    CompletableFuture<Long> written = new CompletableFuture<>();
    long far = 1L << 30;
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/other")) {
            exchange.respond(Response.of(200, "text/plain", "other".getBytes(UTF_8)));
            return;
          }
          try (ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH)) {
            opened.complete(stream);
            byte[] piece = new byte[64 * 1024];
            long total = 0;
            while (total < far && stream.write(piece)) {
              total += piece.length;
            }
            written.complete(total);
          }
        };
    try (Loopback server = Loopback.serve(handler);
        HttpClient client = Loopback.client(version)) {
      CompletableFuture<Void> began = new CompletableFuture<>();
      var response = client.sendAsync(server.request("/watch").build(), readsNothing(began));
      began.get();
      ResponseStream stream = opened.get();
      for (int i = 0; i < 100; i++) {
        assertThat(server.get(version, "/other").body()).isEqualTo("other");
      }
      assertThat(written).isNotDone();
      stream.abort();
      assertThat(written.get()).isLessThan(far);
      response.cancel(true);
      client.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLargeAnswerToAClientThatNeverReadsIsGivenUp(Version version) throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    byte[] piece = new byte[1 << 20];
    Handler handler =
        exchange -> {
          exchange.respond(new Response(200, Headers.NONE, Collections.nCopies(200, piece)));
          ended.complete(null);
        };
    HttpLimits limits =
        HttpLimits.DEFAULT.withTimes(
            Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(1));
    try (Loopback server = Loopback.serve(limits, handler);
        HttpClient client = Loopback.client(version)) {
      var response =
          client.sendAsync(server.request("/").build(), readsNothing(new CompletableFuture<>()));
      ended.get();
      response.cancel(true);
      client.shutdownNow();
    }
  }

  /**
   * The process behind it was stopped, say: nobody empties the socket, so not even a reset leaves.
   */
  @ParameterizedTest
  @EnumSource(Streaming.class)
  void anHttp2ConnectionThatNobodyReadsIsClosed(Streaming streaming) throws Exception {
    CompletableFuture<ResponseStream> opened = new CompletableFuture<>();
    CompletableFuture<Boolean> written = new CompletableFuture<>();
    Handler handler =
        exchange -> {
          try (ResponseStream stream = exchange.stream(200, Headers.NONE, streaming)) {
            opened.complete(stream);
            boolean taken = true;
            for (int i = 0; i < 10_000 && taken; i++) {
              taken = stream.write(new byte[64 * 1024]);
            }
            written.complete(taken);
          }
        };
    HttpLimits limits =
        HttpLimits.DEFAULT.withTimes(
            Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(1));
    try (Loopback server = Loopback.serve(limits, handler);
        var socket = server.rawTls("h2")) {
      RawHttp2.over(socket).beginWithoutFlowControl().get(1, "/");
      ResponseStream stream = opened.get();
      if (streaming == Streaming.WATCH) {
        stream.abort();
      }
      assertThat(written.get()).isFalse();
      RawHttp2.over(socket).untilClosed();
    }
  }

  @Test
  void anAbortedStreamIsAnErrorForItsClient() throws Exception {
    Handler handler =
        exchange -> {
          ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH);
          stream.write("half".getBytes(UTF_8));
          stream.flush();
          throw new IllegalStateException("broken");
        };
    try (Loopback server = Loopback.serve(handler)) {
      for (Version version : Version.values()) {
        assertThat(catchThrowable(() -> server.get(version, "/"))).isInstanceOf(IOException.class);
        assertThat(server.failures.take()).hasMessage("broken");
      }
    }
  }

  @Test
  void aThousandIdleWatchesCostTheOthersNothing() throws Exception {
    int clients = 5;
    int each = 200;
    CountDownLatch opened = new CountDownLatch(clients * each);
    CountDownLatch go = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          if (exchange.path().equals("/other")) {
            exchange.respond(Response.of(200, "text/plain", "other".getBytes(UTF_8)));
            return;
          }
          try (ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH)) {
            opened.countDown();
            go.await();
            stream.write("event".getBytes(UTF_8));
          }
        };
    try (Loopback server = Loopback.serve(handler)) {
      List<HttpClient> open = new ArrayList<>();
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        HttpClient client = Loopback.client(Version.HTTP_2);
        open.add(client);
        // The first request makes the connection that the others share.
        client.send(server.request("/other").build(), BodyHandlers.discarding());
        for (int j = 0; j < each; j++) {
          answers.add(client.sendAsync(server.request("/watch").build(), BodyHandlers.ofString()));
        }
      }
      opened.await();
      assertThat(server.get(Version.HTTP_2, "/other").body()).isEqualTo("other");
      assertThat(server.get(Version.HTTP_1_1, "/other").body()).isEqualTo("other");
      go.countDown();
      for (var answer : answers) {
        assertThat(answer.get().body()).isEqualTo("event");
      }
      open.forEach(HttpClient::close);
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingEndsWatchesCleanlyAndLetsRequestsFinish(Version version) throws Exception {
    Watch watch = new Watch();
    CountDownLatch running = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          if (!exchange.path().equals("/slow")) {
            watch.handle(exchange);
            return;
          }
          running.countDown();
          // The watch is told to end when the server is closing, so by then it is.
          watch.gone.await();
          exchange.respond(Response.of(200, "text/plain", "finished".getBytes(UTF_8)));
        };
    try (HttpClient client = Loopback.client(version)) {
      BufferedReader reader;
      CompletableFuture<HttpResponse<String>> slow;
      try (Loopback server = Loopback.serve(handler)) {
        reader = reader(open(server, client));
        slow = client.sendAsync(server.request("/slow").build(), BodyHandlers.ofString());
        running.await();
      }
      assertThat(reader.readLine()).isNull();
      assertThat(slow.get().body()).isEqualTo("finished");
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingDoesNotWaitForEverForAHandler(Version version) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Handler handler =
        _ -> {
          running.countDown();
          never.await();
        };
    HttpLimits limits =
        HttpLimits.DEFAULT.withTimes(
            Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(200));
    try (HttpClient client = Loopback.client(version)) {
      CompletableFuture<HttpResponse<String>> cut;
      try (Loopback server = Loopback.serve(limits, handler)) {
        cut = client.sendAsync(server.request("/").build(), BodyHandlers.ofString());
        running.await();
      }
      assertThat(cut).isNotCancelled();
      assertThat(cut.handle((_, failure) -> failure).get()).isNotNull();
      never.countDown();
    }
  }
}
