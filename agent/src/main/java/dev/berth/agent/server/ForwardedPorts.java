package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.HalfCloseable;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.http.spdy.SpdyConnection;
import dev.berth.http.spdy.SpdyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One client's connections to the ports of a pod. For each, the client opens two streams that name
 * the port and the same request: one for data, one on which it is told what went wrong.
 */
final class ForwardedPorts {
  private static final int PIECE_BYTES = 32 * 1024;
  private static final int MOST_PORT = 65_535;

  private final ContainerRuntime runtime;
  private final PodId pod;

  /** Pairs of which one stream is missing, by request. Used by the connection's thread alone. */
  private final Map<String, Pair> waiting = new HashMap<>();

  private final Set<ByteChannel> open = ConcurrentHashMap.newKeySet();

  private static final class Pair {
    private @Nullable SpdyStream data;
    private @Nullable SpdyStream error;
  }

  ForwardedPorts(ContainerRuntime runtime, PodId pod) {
    this.runtime = runtime;
    this.pod = pod;
  }

  /** Serves the client until it goes. */
  void run(SpdyConnection connection) throws IOException {
    try {
      connection.run(this::opened);
    } finally {
      // Whoever waits for a pod that says nothing is released.
      open.forEach(ForwardedPorts::close);
    }
  }

  private void opened(SpdyStream stream) {
    OptionalInt port = port(stream);
    String type = stream.header("streamType");
    if (port.isEmpty() || (!type.equals("data") && !type.equals("error"))) {
      reset(stream);
      return;
    }
    String request = request(stream, type);
    Pair pair = waiting.computeIfAbsent(request, _ -> new Pair());
    SpdyStream other = type.equals("data") ? pair.error : pair.data;
    boolean taken = (type.equals("data") ? pair.data : pair.error) != null;
    if (taken) {
      reset(stream);
    } else if (other == null) {
      if (type.equals("data")) {
        pair.data = stream;
      } else {
        pair.error = stream;
      }
    } else {
      waiting.remove(request);
      SpdyStream data = type.equals("data") ? stream : other;
      SpdyStream error = type.equals("data") ? other : stream;
      Thread.ofVirtual().name("port-forward").start(() -> forward(port.getAsInt(), data, error));
    }
  }

  private static void close(ByteChannel channel) {
    try {
      channel.close();
    } catch (IOException _) {
      // It is of no use either way.
    }
  }

  private static void reset(SpdyStream stream) {
    try {
      stream.reset();
    } catch (IOException _) {
      // The client has gone, and its streams with it.
    }
  }

  private static OptionalInt port(SpdyStream stream) {
    String text = stream.header("port");
    if (!text.matches("[0-9]{1,5}")) {
      return OptionalInt.empty();
    }
    int port = Integer.parseInt(text);
    return port < 1 || port > MOST_PORT ? OptionalInt.empty() : OptionalInt.of(port);
  }

  /** Old clients do not number their requests, but open the error stream just before the other. */
  private static String request(SpdyStream stream, String type) {
    String number = stream.header("requestID");
    if (!number.isEmpty()) {
      return number;
    }
    return Integer.toString(type.equals("error") ? stream.id() : stream.id() - 2);
  }

  private void forward(int port, SpdyStream data, SpdyStream error) {
    try (ByteChannel channel = runtime.connect(pod.uid(), port)) {
      open.add(channel);
      Thread toPod = Thread.ofVirtual().name("port-forward-in").start(() -> toPod(data, channel));
      fromPod(channel, data.output());
      data.output().close();
      error.output().close();
      data.input().close();
      open.remove(channel);
      close(channel);
      Waiting.uninterruptibly(toPod);
    } catch (IOException | RuntimeFailure e) {
      tell(port, data, error, String.valueOf(e.getMessage()));
    }
  }

  private void tell(int port, SpdyStream data, SpdyStream error, String why) {
    String text =
        "error forwarding port %d to pod %s, uid %s: %s"
            .formatted(port, pod.name(), pod.uid(), why);
    try (OutputStream out = error.output()) {
      out.write(text.getBytes(UTF_8));
    } catch (IOException _) {
      // The client has gone, and knows.
    }
    reset(data);
  }

  private static void toPod(SpdyStream data, ByteChannel channel) {
    try (InputStream in = data.input()) {
      byte[] bytes = new byte[PIECE_BYTES];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, read);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
      if (channel instanceof SocketChannel socket) {
        socket.shutdownOutput();
      } else if (channel instanceof HalfCloseable half) {
        half.shutdownOutput();
      }
    } catch (IOException _) {
      // The pod reads no more; what it says still counts.
    }
  }

  private static void fromPod(ByteChannel channel, OutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES);
    for (int read = channel.read(buffer); read >= 0; read = channel.read(buffer)) {
      out.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
  }
}
