package dev.berth.http.jetty;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections that take no bytes at all any more, such as those of a stopped process. Jetty
 * gives up an HTTP/2 stream that makes no progress by resetting it, but the reset waits behind the
 * bytes that nobody takes, and the connection counts as busy for ever.
 *
 * @param patience how long a write may wait, time enough for Jetty's own time-out
 */
record StuckConnection(Request request, Duration patience) {

  /** Closes the connection if the writer's present write has not ended by then. */
  Scheduler.Task watch(BlockingWriter writer) {
    return request
        .getComponents()
        .getScheduler()
        .schedule(
            () -> {
              if (writer.isWriting()) {
                request
                    .getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .close(new TimeoutException("The client reads nothing."));
                writer.release();
              }
            },
            patience.toMillis(),
            TimeUnit.MILLISECONDS);
  }
}
