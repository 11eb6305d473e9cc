package dev.berth.agent.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** What is said on the socket: objects of JSON, one on each line. */
final class ControlLines {
  static final String SOCKET = "control.sock";

  private final BufferedReader in;
  private final OutputStream out;

  ControlLines(SocketChannel channel) {
    in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
    out = Channels.newOutputStream(channel);
  }

  static Path socket(Path root) {
    return root.resolve(SOCKET);
  }

  synchronized void write(JsonObject line) throws IOException {
    byte[] bytes = JsonWriter.toBytes(line);
    byte[] whole = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, whole, 0, bytes.length);
    whole[bytes.length] = '\n';
    out.write(whole);
    out.flush();
  }

  /** The next line; an empty object at the end. */
  JsonObject read() throws IOException {
    String line = in.readLine();
    try {
      return line == null
          ? JsonObject.EMPTY
          : JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED);
    } catch (JsonException e) {
      throw new IOException("what was said is no JSON: " + e.getMessage(), e);
    }
  }
}
