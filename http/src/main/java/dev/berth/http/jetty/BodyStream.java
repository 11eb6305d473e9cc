package dev.berth.http.jetty;

import dev.berth.http.ClientGoneException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request as a stream, for whoever passes it on. What has arrived and is not read yet
 * is bounded by Jetty; how long a silence may be, by the connection's idle time.
 */
final class BodyStream extends InputStream {
  private final Request request;
  private final Semaphore news = new Semaphore(0);
  private Content.@Nullable Chunk chunk;
  private boolean ended;

  BodyStream(Request request) {
    this.request = request;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      Content.Chunk now = chunk == null ? next() : chunk;
      chunk = now;
      ByteBuffer unread = now.getByteBuffer();
      int taken = Math.min(length, unread.remaining());
      unread.get(bytes, offset, taken);
      if (!unread.hasRemaining()) {
        ended = now.isLast();
        chunk = null;
        now.release();
      }
      if (taken > 0) {
        return taken;
      }
    }
    return -1;
  }

  private Content.Chunk next() {
    while (true) {
      Content.Chunk read = request.read();
      if (read == null) {
        request.demand(news::release);
        news.acquireUninterruptibly();
      } else if (Content.Chunk.isFailure(read)) {
        throw new ClientGoneException(read.getFailure());
      } else {
        return read;
      }
    }
  }

  @Override
  public void close() {
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
    ended = true;
  }
}
