package dev.berth.bench.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A watch over a TLS connection of its own, as a node's agent has it: HTTP/1.1, read by a thread
 * that waits.
 */
final class WatchConnection implements AutoCloseable {
  private final SSLSocket socket;

  private WatchConnection(SSLSocket socket) {
    this.socket = socket;
  }

  /**
   * Connects, and returns once the server has answered.
   *
   * @param events counts what the watch tells, but for bookmarks
   */
  static WatchConnection open(SSLSocketFactory tls, Berth berth, String path, LongAdder events)
      throws IOException {
    var socket = (SSLSocket) tls.createSocket("127.0.0.1", berth.port());
    socket.setTcpNoDelay(true);
    String request =
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n"
            .formatted(path, Berth.TOKEN);
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8), 512);
    String status = in.readLine();
    if (status == null || !status.contains(" 200")) {
      socket.close();
      throw new IOException("the watch was answered with " + status);
    }
    Thread.startVirtualThread(() -> count(in, events));
    return new WatchConnection(socket);
  }

  /** Between the events are the headers, and then the sizes of chunks. */
  private static void count(BufferedReader in, LongAdder events) {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("{\"type\":") && !line.startsWith("{\"type\":\"BOOKMARK\"")) {
          events.increment();
        }
      }
    } catch (IOException e) {
      // The connection was closed; who counts finds what is missing.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
