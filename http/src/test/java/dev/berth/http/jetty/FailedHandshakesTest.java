package dev.berth.http.jetty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.ConnectionLog;
import dev.berth.http.FailureListener;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.log.CapturedLog;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLine;
import dev.berth.time.WallTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A client that speaks no TLS is logged with its address, and with no stack trace. */
class FailedHandshakesTest {

  @Test
  void aClientThatSpeaksNoTlsIsLogged() throws Exception {
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    FailureListener connections = new ConnectionLog((_, _, _) -> {}, new WallTime(_ -> {}));
    FailureListener listener =
        new FailureListener() {
          @Override
          public void onHandlerFailure(String method, String path, Throwable cause) {}

          @Override
          public void onHandshakeFailure(SocketAddress client, Throwable cause) {
            connections.onHandshakeFailure(client, cause);
            told.add(cause);
          }
        };
    try (Loopback loopback = Loopback.serve(_ -> {});
        CapturedLog log = CapturedLog.from(Level.INFO);
        HttpServer server =
            HttpServer.start(
                new HttpConfig(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    loopback.tls(),
                    HttpLimits.DEFAULT,
                    listener),
                _ -> {});
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write("GET /?token=hidden HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      assertThat(told.take()).isNotNull();
      assertThat(log.lines())
          .filteredOn(line -> line.message().equals("TLS handshake failed"))
          .singleElement()
          .satisfies(line -> assertThat(line.value("client")).isEqualTo("127.0.0.1"))
          .satisfies(line -> assertThat(line.cause()).isNull())
          .extracting(LogLine::component)
          .isEqualTo("http");
      assertThat(log.text(LogFormat.TEXT)).doesNotContain("hidden");
    }
  }
}
