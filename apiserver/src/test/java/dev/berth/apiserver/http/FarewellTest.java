package dev.berth.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a server that stops leaves its clients. */
@Timeout(60)
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
}
