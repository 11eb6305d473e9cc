package dev.berth.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Reads the body of a request, as far as it is allowed to and for as long as it may take. The idle
 * time-out does not see a body that trickles in, since each byte starts it anew.
 */
final class RequestBody {

  /**
   * How much of a body that is too long is read all the same. A client that is still sending when
   * the connection closes may lose the answer that says why.
   */
  private static final int DROPPED_BYTES = 8 * 1024 * 1024;

  private static final int FIRST_BYTES = 16 * 1024;

  private final Request request;
  private final Semaphore news = new Semaphore(0);
  private volatile boolean expired;

  private RequestBody(Request request) {
    this.request = request;
  }

  static byte[] read(Request request, int maxBytes, Duration patience) {
    RequestBody body = new RequestBody(request);
    Scheduler.Task deadline =
        request
            .getComponents()
            .getScheduler()
            .schedule(body::expire, patience.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return body.read(maxBytes);
    } finally {
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
    ByteArrayOutputStream body =
        new ByteArrayOutputStream(announced > 0 ? (int) announced : FIRST_BYTES);
    boolean last = false;
    while (!last) {
      Content.Chunk chunk = next();
      last = chunk.isLast();
      ByteBuffer bytes = chunk.getByteBuffer();
      int length = bytes.remaining();
      boolean fits = body.size() + (long) length <= maxBytes;
      if (fits) {
        byte[] taken = new byte[length];
        bytes.get(taken);
        body.write(taken, 0, length);
      }
      chunk.release();
      if (!fits) {
        if (!last) {
          drop(length);
        }
        throw new BodyTooLargeException(maxBytes);
      }
    }
    return body.toByteArray();
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
      request.demand(news::release);
      news.acquireUninterruptibly();
      if (expired) {
        throw new ClientGoneException(new TimeoutException("The body did not arrive in time."));
      }
    }
  }
}
