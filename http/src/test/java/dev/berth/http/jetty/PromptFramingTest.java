package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.Handler;
import dev.berth.http.Headers;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PromptFramingTest {

  @Test
  void aChunkIsWholeBeforeTheNextOneBegins() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    Handler handler =
        exchange -> {
          try (ResponseStream stream = exchange.stream(200, Headers.NONE, Streaming.WATCH)) {
            stream.write("an event\n".getBytes(UTF_8));
            stream.flush();
            seen.await();
          }
        };
    try (Loopback server = Loopback.serve(handler);
        RawHttp1 client = RawHttp1.connect(server)) {
      client.send("GET /watch HTTP/1.1\r\nHost: here\r\n\r\n");
      assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
      List<String> headers = new ArrayList<>();
      for (String line = client.line(); !line.isEmpty(); line = client.line()) {
        headers.add(line.toLowerCase(Locale.ROOT));
      }
      assertThat(headers).contains("transfer-encoding: chunked");
      // The size, the event with its own line end, and the line end of the chunk.
      assertThat(List.of(client.line(), client.line(), client.line()))
          .containsExactly("9", "an event", "");
      seen.countDown();
      assertThat(client.line()).isEqualTo("0");
    }
  }
}
