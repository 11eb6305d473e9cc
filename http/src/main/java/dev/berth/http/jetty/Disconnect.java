package dev.berth.http.jetty;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that the client of a watch has gone, though nothing is being written to it.
 *
 * <p>HTTP/2 connections are always read, so Jetty notices. An HTTP/1.1 connection is not read while
 * a request is handled, so the end of its input is awaited here; what arrives before that can only
 * be a request that our {@code Connection: close} forbids, and is dropped.
 */
final class Disconnect implements Callback {
  private static final int DROPPED_AT_ONCE = 1024;

  private final EndPoint endPoint;
  private final Runnable whenGone;

  private Disconnect(EndPoint endPoint, Runnable whenGone) {
    this.endPoint = endPoint;
    this.whenGone = whenGone;
  }

  static void watch(Request request, boolean http2, Runnable whenGone) {
    // Waiting is what a watch does. A time-out would also end Jetty's own notice of later resets.
    request.addHttpStreamWrapper(stream -> {
      stream.setIdleTimeout(-1);
      return stream;
    });
    request.addFailureListener(_ -> whenGone.run());
    // A listener that came too late is not told.
    Content.Chunk chunk = request.read();
    if (Content.Chunk.isFailure(chunk)) {
      whenGone.run();
    } else if (chunk != null) {
      chunk.release();
    }
    if (!http2) {
      EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
      new Disconnect(endPoint, whenGone).await();
    }
  }

  private void await() {
    // Jetty reads again as soon as the response has ended; then there is nothing left to tell.
    if (!endPoint.tryFillInterested(this)) {
      whenGone.run();
    }
  }

  @Override
  public void succeeded() {
    ByteBuffer dropped = BufferUtil.allocate(DROPPED_AT_ONCE);
    int read;
    try {
      read = endPoint.fill(dropped);
    } catch (IOException e) {
      failed(e);
      return;
    }
    if (read < 0) {
      whenGone.run();
    } else {
      await();
    }
  }

  @Override
  public void failed(Throwable cause) {
    whenGone.run();
  }
}
