package dev.berth.http.jetty;

import dev.berth.http.Duplex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * A connection that was taken over from Jetty's HTTP/1.1, which neither reads nor writes it while
 * its request is being handled. Closing the connection fails whatever waits for it, and so releases
 * both threads.
 */
final class JettyDuplex implements Duplex, Endable {
  private final EndPoint endPoint;
  private final InputStream input;
  private final OutputStream output = new Output();

  /**
   * @param early what the client sent before it could know that the upgrade was accepted
   */
  JettyDuplex(EndPoint endPoint, ByteBuffer early) {
    this.endPoint = endPoint;
    this.input = new Input(early);
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  /** These protocols have no word for it, so a server that stops closes the connection. */
  @Override
  public void tell() {
    close();
  }

  @Override
  public void close() {
    endPoint.close();
  }

  /** Waits for what is done on one of Jetty's threads. */
  private static void await(CompletableFuture<Void> done) throws IOException {
    boolean interrupted = false;
    while (true) {
      try {
        done.get();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IOException("The connection is broken: " + e.getMessage(), e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Input extends InputStream {
    private static final int BUFFER_BYTES = 16 * 1024;

    /** In the state that Jetty calls flush mode: what is between position and limit is unread. */
    private ByteBuffer buffer;

    Input(ByteBuffer early) {
      buffer = early;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (length == 0) {
        return 0;
      }
      while (!buffer.hasRemaining()) {
        if (buffer.capacity() < BUFFER_BYTES) {
          buffer = BufferUtil.allocate(BUFFER_BYTES);
        }
        BufferUtil.clear(buffer);
        int filled = endPoint.fill(buffer);
        if (filled < 0) {
          return -1;
        }
        if (filled == 0) {
          var readable = new Callback.Completable();
          endPoint.fillInterested(readable);
          await(readable);
        }
      }
      int taken = Math.min(length, buffer.remaining());
      buffer.get(bytes, offset, taken);
      return taken;
    }

    @Override
    public int available() {
      return buffer.remaining();
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      var written = new Callback.Completable();
      endPoint.write(written, ByteBuffer.wrap(bytes, offset, length));
      await(written);
    }
  }
}
