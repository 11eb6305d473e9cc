package dev.berth.http.jetty;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** HTTP/1.1 by hand, for what no decent client would do. */
final class RawHttp1 implements AutoCloseable {
  private final Socket socket;

  RawHttp1(Socket socket) {
    this.socket = socket;
  }

  static RawHttp1 connect(Loopback server) throws IOException {
    return new RawHttp1(server.rawTls("http/1.1"));
  }

  RawHttp1 send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** The next line, without its end; empty also when the server has closed. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** The status line of an answer whose headers and body are read and dropped. */
  String answer() throws IOException {
    String status = line();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).trim());
      }
    }
    socket.getInputStream().readNBytes(length);
    return status;
  }

  /** Everything until the server closes, whichever way it does so. */
  String untilClosed() {
    StringBuilder text = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int c = in.read(); c >= 0; c = in.read()) {
        text.append((char) c);
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("The server did not close the connection.", e);
    } catch (IOException _) {
      // A reset ends a connection as well as anything.
    }
    return text.toString();
  }

  Socket socket() {
    return socket;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
