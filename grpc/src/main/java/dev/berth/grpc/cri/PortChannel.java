package dev.berth.grpc.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.HalfCloseable;
import dev.berth.http.spdy.SpdyStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection to a port of a pod, through a runtime's streaming server. */
final class PortChannel implements ByteChannel, HalfCloseable {
  private static final int PIECE_BYTES = 32 * 1024;
  private static final int PATIENCE_SECONDS = 5;

  private final StreamingConnection connection;
  private final SpdyStream data;
  private volatile boolean isOpen = true;

  /** What the server says of a connection that did not come about; empty if it did. */
  private final CompletableFuture<String> problem = new CompletableFuture<>();

  PortChannel(StreamingConnection connection, int port) throws IOException {
    this.connection = connection;
    SpdyStream error = connection.stream(headers("error", port));
    error.output().close();
    data = connection.stream(headers("data", port));
    Thread.ofVirtual().name("runtime-port").start(() -> readProblem(error));
  }

  private static Map<String, String> headers(String type, int port) {
    return Map.of("streamType", type, "port", "" + port, "requestID", "0");
  }

  private void readProblem(SpdyStream error) {
    try {
      problem.complete(new String(error.input().readAllBytes(), UTF_8));
    } catch (IOException _) {
      // The connection has ended, which whoever reads it notices.
      problem.complete("");
    }
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!isOpen) {
      throw new ClosedChannelException();
    }
    byte[] piece = new byte[Math.min(into.remaining(), PIECE_BYTES)];
    int read = data.input().read(piece);
    if (read < 0) {
      fail();
      return -1;
    }
    into.put(piece, 0, read);
    return read;
  }

  /** The data ends first, and then comes why. */
  private void fail() throws IOException {
    String why = problem.completeOnTimeout("", PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    if (!why.isEmpty()) {
      throw new IOException(why);
    }
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    if (!isOpen) {
      throw new ClosedChannelException();
    }
    byte[] piece = new byte[Math.min(from.remaining(), PIECE_BYTES)];
    from.get(piece);
    try {
      data.output().write(piece);
    } catch (IOException e) {
      fail();
      throw e;
    }
    return piece.length;
  }

  @Override
  public void shutdownOutput() throws IOException {
    data.output().close();
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void close() {
    isOpen = false;
    connection.close();
  }
}
