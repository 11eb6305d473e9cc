package dev.berth.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asks servers that speak as little HTTP/2 as it takes. */
final class GrpcHealthTest {
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] HEADERS = {0, 0, 1, 1, 4, 0, 0, 0, 1, (byte) 0x88};
  private static final byte[] TRAILERS_ONLY = {0, 0, 1, 1, 5, 0, 0, 0, 1, (byte) 0x88};

  private static byte[] health(int status) {
    return new byte[] {0, 0, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 8, (byte) status};
  }

  private static Outcome ask(byte[]... answer) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serve(server, answer));
      return GrpcHealth.check(
          "127.0.0.1", server.getLocalPort(), "shop", new Cutoff(Duration.ofMinutes(1)));
    }
  }

  private static void serve(ServerSocket server, byte[]... answer) {
    try (Socket socket = server.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
      OutputStream out = socket.getOutputStream();
      int type;
      do {
        int length = in.readInt();
        type = length & 0xff;
        in.readNBytes(5 + (length >>> 8));
      } while (type != 0);
      out.write(SETTINGS);
      for (byte[] frame : answer) {
        out.write(frame);
      }
      out.flush();
      in.readAllBytes();
    } catch (IOException _) {
      // The one who asked has what it wanted, and is gone.
    }
  }

  @ParameterizedTest(name = "{0}: {1}, {2}")
  @CsvSource({
    "1, SUCCESS, service healthy",
    "2, FAILURE, 'service unhealthy (responded with \"NOT_SERVING\")'",
    "3, FAILURE, 'service unhealthy (responded with \"SERVICE_UNKNOWN\")'",
  })
  void answers(int status, Outcome.Kind kind, String output) throws IOException {
    assertThat(ask(HEADERS, health(status))).isEqualTo(new Outcome(kind, output));
  }

  @Test
  void aServerWithoutThatServiceIsNotHealthy() throws IOException {
    assertThat(ask(TRAILERS_ONLY).kind()).isEqualTo(Outcome.Kind.FAILURE);
  }

  @Test
  void aServerThatOnlyPingsIsCutOff() throws IOException {
    Cutoff cutoff = new Cutoff(Duration.ofSeconds(3));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> pingUntil(server, cutoff));
      assertThat(GrpcHealth.check("127.0.0.1", server.getLocalPort(), "", cutoff))
          .isEqualTo(Outcome.failure("timeout: health rpc did not complete within 3s"));
    }
  }

  private static void pingUntil(ServerSocket server, Cutoff cutoff) {
    byte[] ping = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    try (Socket socket = server.accept()) {
      for (int i = 0; i < 100; i++) {
        socket.getOutputStream().write(ping);
        socket.getInputStream().readNBytes(ping.length);
      }
      cutoff.end();
    } catch (IOException _) {
      // The one who asked is gone.
    }
  }

  @Test
  void aServerThatIsNotThereIsNotHealthy() throws IOException {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    assertThat(GrpcHealth.check("127.0.0.1", port, "", new Cutoff(Duration.ofSeconds(1))).output())
        .startsWith("error: failed to connect service at \"127.0.0.1:" + port + "\"");
  }
}
