package dev.berth.agent.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A server on loopback that reads requests and answers what a test says, HTTP or not. */
final class ScriptedServer implements AutoCloseable {

  /** Says something on a connection, for as long as it likes. */
  interface Answer {
    void write(OutputStream out) throws IOException;
  }

  private final ServerSocket server;
  private final List<List<String>> requests = new CopyOnWriteArrayList<>();

  private ScriptedServer(ServerSocket server) {
    this.server = server;
  }

  /**
   * Starts one.
   *
   * @param answers gets the first line of a request
   */
  static ScriptedServer start(Function<String, Answer> answers) {
    try {
      ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      ScriptedServer server = new ScriptedServer(socket);
      Thread.ofVirtual().start(() -> server.serve(answers));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A whole answer. */
  static Answer text(String text) {
    return out -> out.write(text.getBytes(ISO_8859_1));
  }

  static Answer redirect(int status, String location) {
    return text(
        "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 5\r\n\r\nMoved"
            .formatted(status, location));
  }

  int port() {
    return server.getLocalPort();
  }

  /** The lines of all requests so far. */
  List<List<String>> requests() {
    return List.copyOf(requests);
  }

  private void serve(Function<String, Answer> answers) {
    while (true) {
      try (Socket socket = server.accept()) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
          lines.add(line);
          if (!lines.getFirst().startsWith("GET ")) {
            break; // Whatever this is, it does not end as HTTP does.
          }
        }
        requests.add(lines);
        answers.apply(lines.isEmpty() ? "" : lines.getFirst()).write(socket.getOutputStream());
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
