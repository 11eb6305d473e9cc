package dev.berth.agent.server;

import dev.berth.http.Exchange;
import dev.berth.http.spdy.SpdyConnection;
import dev.berth.http.spdy.SpdyStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A command's streams over SPDY: the client opens each, and says of which kind it is. Later
 * versions of the protocol added window sizes (3) and a {@code Status} at the end (4).
 */
final class SpdyCommand implements CommandStreams {
  private static final String V4 = "v4.channel.k8s.io";
  private static final String V3 = "v3.channel.k8s.io";
  private static final String V1 = "channel.k8s.io";
  private static final List<String> PROTOCOLS = List.of(V4, V3, "v2.channel.k8s.io", V1);
  private static final int PIECE_BYTES = 32 * 1024;
  private static final int MAX_RESIZE_BYTES = 1024;

  private final String protocol;
  private final CommandOptions options;
  private final SpdyConnection connection;
  private final CountDownLatch gone = new CountDownLatch(1);
  private final CountDownLatch complete;

  /** By kind. Guarded by itself. */
  private final Map<String, SpdyStream> streams = new HashMap<>();

  private SpdyCommand(String protocol, CommandOptions options, SpdyConnection connection) {
    this.protocol = protocol;
    this.options = options;
    this.connection = connection;
    this.complete = new CountDownLatch(expected());
  }

  private int expected() {
    boolean resizes = options.tty() && (protocol.equals(V4) || protocol.equals(V3));
    return 1
        + (options.stdin() ? 1 : 0)
        + (options.stdout() ? 1 : 0)
        + (options.stderr() ? 1 : 0)
        + (resizes ? 1 : 0);
  }

  /** Upgrades, and waits until the client has opened its streams. */
  static SpdyCommand accept(Exchange exchange, CommandOptions options, SessionTimers timers)
      throws Refusal {
    SpdyUpgrade.Accepted accepted = SpdyUpgrade.accept(exchange, PROTOCOLS);
    String protocol = accepted.protocol().isEmpty() ? V1 : accepted.protocol();
    SpdyCommand command = new SpdyCommand(protocol, options, accepted.connection());
    var tooLate = timers.after(SessionTimers.STREAM_CREATION, command::close);
    Thread.ofVirtual().name("spdy-command").start(command::read);
    Waiting.uninterruptibly(command.complete);
    tooLate.cancel();
    return command;
  }

  private void read() {
    try {
      connection.run(this::opened);
    } catch (IOException _) {
      // Whatever it was, the client cannot be heard any more.
    } finally {
      gone.countDown();
      while (complete.getCount() > 0) {
        complete.countDown();
      }
    }
  }

  private void opened(SpdyStream stream) {
    synchronized (streams) {
      streams.putIfAbsent(stream.header("streamType"), stream);
    }
    complete.countDown();
  }

  private InputStream input(String kind) {
    synchronized (streams) {
      SpdyStream stream = streams.get(kind);
      return stream == null ? InputStream.nullInputStream() : stream.input();
    }
  }

  private OutputStream output(String kind) {
    synchronized (streams) {
      SpdyStream stream = streams.get(kind);
      return stream == null ? OutputStream.nullOutputStream() : stream.output();
    }
  }

  @Override
  public void begin(Listener listener) {
    if (options.stdin()) {
      Thread.ofVirtual().name("spdy-stdin").start(() -> readInput(listener));
    }
    if (options.tty()) {
      Thread.ofVirtual().name("spdy-resize").start(() -> readSizes(listener));
    }
    Thread.ofVirtual()
        .name("spdy-gone")
        .start(() -> {
          awaitGone();
          listener.gone();
        });
  }

  private void readInput(Listener listener) {
    try (InputStream in = input("stdin")) {
      byte[] bytes = new byte[PIECE_BYTES];
      int read = in.read(bytes);
      while (read >= 0) {
        listener.stdin(bytes, read);
        read = in.read(bytes);
      }
      listener.stdinEnded();
    } catch (IOException _) {
      // The command reads no more.
    }
  }

  /** Objects of JSON, one after the other, without arrays or braces in strings. */
  private void readSizes(Listener listener) {
    try (InputStream in = input("resize")) {
      ByteArrayOutputStream size = new ByteArrayOutputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (size.size() < MAX_RESIZE_BYTES) {
          size.write(next);
        }
        if (next == '}') {
          TerminalSize.parse(size.toByteArray())
              .ifPresent(window -> listener.resized(window.columns(), window.rows()));
          size.reset();
        }
      }
    } catch (IOException _) {
      // The window keeps its size.
    }
  }

  @Override
  public OutputStream stdout() {
    return output("stdout");
  }

  @Override
  public OutputStream stderr() {
    return output("stderr");
  }

  @Override
  public void finish(CommandStatus status) throws IOException {
    try (OutputStream error = output("error")) {
      error.write(protocol.equals(V4) ? status.json() : status.plain());
    }
    stdout().close();
    stderr().close();
  }

  @Override
  public boolean isGone() {
    return gone.getCount() == 0;
  }

  @Override
  public void awaitGone() {
    Waiting.uninterruptibly(gone);
  }

  @Override
  public void close() {
    connection.close();
  }
}
