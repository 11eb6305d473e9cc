package dev.berth.http.jetty;

import dev.berth.http.BodyTooLargeException;
import dev.berth.http.ClientGoneException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request, up to the length and the time that it may take. The idle time-out
 * does not notice a body that trickles in, since each byte starts it anew.
 */
final class RequestBody {

  /**
   * How much of a body that is too long, or not wanted, is read all the same. A client that is
   * still sending when the connection closes may lose the answer that says why.
   */
  private static final int DROPPED_BYTES = 8 * 1024 * 1024;

  private final Request request;
  private final Duration patience;
  private final Semaphore news = new Semaphore(0);
  private volatile boolean expired;

  /** Set when there is something to wait for; most bodies are there when their request is. */
  private Scheduler.@Nullable Task deadline;

  private RequestBody(Request request, Duration patience) {
    this.request = request;
    this.patience = patience;
  }

  static byte[] read(Request request, int maxBytes, Duration patience) {
    RequestBody body = new RequestBody(request, patience);
    try {
      return body.read(maxBytes);
    } finally {
      body.forgetDeadline();
    }
  }

  /**
   * Reads what nobody wanted of a body, before its request is answered. Jetty resets a stream whose
   * body is not read, as cancelled, and a client that sees the reset first loses the answer.
   */
  static void drop(Request request, Duration patience) {
    if (request.getHeaders().contains(HttpHeader.EXPECT)) {
      return;
    }
    RequestBody body = new RequestBody(request, patience);
    try {
      body.drop(0);
    } catch (ClientGoneException _) {
      // It gets its answer all the same, if it still reads.
    } finally {
      body.forgetDeadline();
    }
  }

  private void forgetDeadline() {
    if (deadline != null) {
      var _ = deadline.cancel();
    }
  }

  private void expire() {
    expired = true;
    news.release();
  }

  private byte[] read(int maxBytes) {
    long announced = request.getLength();
    if (announced > maxBytes) {
      if (!request.getHeaders().contains(HttpHeader.EXPECT)) {
        drop(0);
      }
      throw new BodyTooLargeException(maxBytes);
    }
    byte[] body = new byte[0];
    int size = 0;
    boolean last = false;
    while (!last) {
      Content.Chunk chunk = next();
      last = chunk.isLast();
      ByteBuffer bytes = chunk.getByteBuffer();
      int length = bytes.remaining();
      boolean fits = size + (long) length <= maxBytes;
      if (fits) {
        if (size + length > body.length) {
          body = Arrays.copyOf(body, capacity(size + length, announced, last));
        }
        bytes.get(body, size, length);
        size += length;
      }
      chunk.release();
      if (!fits) {
        if (!last) {
          drop(length);
        }
        throw new BodyTooLargeException(maxBytes);
      }
    }
    return size == body.length ? body : Arrays.copyOf(body, size);
  }

  /** How many bytes to make room for: no more than needed if that is known. */
  private static int capacity(int needed, long announced, boolean last) {
    if (last) {
      return needed;
    }
    return (int) Math.max(needed, announced > 0 ? announced : 2L * needed);
  }

  private void drop(int already) {
    long dropped = already;
    while (dropped < DROPPED_BYTES) {
      Content.Chunk chunk = next();
      dropped += chunk.remaining();
      boolean last = chunk.isLast();
      chunk.release();
      if (last) {
        return;
      }
    }
  }

  /** Waits for the next piece. */
  private Content.Chunk next() {
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk != null) {
        if (Content.Chunk.isFailure(chunk)) {
          throw new ClientGoneException(chunk.getFailure());
        }
        return chunk;
      }
      if (deadline == null) {
        deadline =
            request
                .getComponents()
                .getScheduler()
                .schedule(this::expire, patience.toMillis(), TimeUnit.MILLISECONDS);
      }
      request.demand(news::release);
      news.acquireUninterruptibly();
      if (expired) {
        throw new ClientGoneException(new TimeoutException("The body did not arrive in time."));
      }
    }
  }
}
