package dev.berth.http.spdy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.Duplex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The two ends of a connection understand each other. */
class SpdyClientTest {
  private record Connected(Socket socket, InputStream input, OutputStream output)
      implements Duplex {
    static Connected of(Socket socket) throws IOException {
      return new Connected(socket, socket.getInputStream(), socket.getOutputStream());
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void read(SpdyConnection connection, List<SpdyStream> opened) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            connection.run(stream -> {
              opened.add(stream);
              Thread.ofVirtual().start(() -> echo(stream));
            });
          } catch (IOException _) {
            // The other end has gone.
            connection.close();
          }
        });
  }

  private static void echo(SpdyStream stream) {
    try (OutputStream out = stream.output()) {
      stream.input().transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void streamsThatAClientOpensAreServed() throws IOException {
    SpdyConnection client;
    SpdyConnection server;
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      client =
          new SpdyConnection(
              Connected.of(new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort())));
      server = new SpdyConnection(Connected.of(listening.accept()));
    }
    List<SpdyStream> opened = new CopyOnWriteArrayList<>();
    read(server, opened);
    read(client, new CopyOnWriteArrayList<>());
    for (String text : List.of("one", "two")) {
      SpdyStream stream = client.open(Map.of("streamType", text));
      stream.output().write(text.getBytes(US_ASCII));
      stream.output().close();
      assertThat(stream.input().readAllBytes()).asString(US_ASCII).isEqualTo(text);
    }
    assertThat(opened).extracting(each -> each.header("streamType")).containsExactly("one", "two");
    assertThat(opened).extracting(SpdyStream::id).containsExactly(1, 3);
    client.close();
    assertThatThrownBy(() -> client.open(Map.of())).hasMessage("The SPDY connection is closed.");
  }
}
