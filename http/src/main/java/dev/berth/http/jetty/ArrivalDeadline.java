package dev.berth.http.jetty;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections on which a request trickles in so slowly that it never becomes complete. The
 * idle time-out does not notice them, since each byte starts it anew.
 *
 * <p>Checks each connection at a fixed interval, and closes it
 *
 * <ol>
 *   <li>at the first check, if no request has arrived; the handshake counts;
 *   <li>later, on HTTP/1.1, if for two intervals bytes arrived but no request, and none was
 *       running. HTTP/2 has pings, so bytes say nothing there.
 * </ol>
 */
final class ArrivalDeadline implements Connection.Listener {
  private final Duration interval;
  private final Connector connector;
  private final Map<Connection, Watched> watched = new ConcurrentHashMap<>();

  ArrivalDeadline(Duration interval, Connector connector) {
    this.interval = interval;
    this.connector = connector;
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection tls) {
      Watched entry = new Watched(tls);
      watched.put(tls, entry);
      entry.schedule();
    }
  }

  @Override
  public void onClosed(Connection connection) {
    Watched entry = watched.remove(connection);
    if (entry != null) {
      entry.cancel();
    }
  }

  /** One connection. Its fields are the scheduler's, which makes one look after the other. */
  private final class Watched implements Runnable {
    private final SslConnection tls;
    private volatile Scheduler.Task next = () -> false;
    private boolean looked;
    private long requests;
    private long bytes;
    private int suspicions;

    Watched(SslConnection tls) {
      this.tls = tls;
    }

    void schedule() {
      next = connector.getScheduler().schedule(this, interval.toMillis(), TimeUnit.MILLISECONDS);
      if (!watched.containsKey(tls)) {
        cancel();
      }
    }

    void cancel() {
      var _ = next.cancel();
    }

    @Override
    public void run() {
      if (isTrickling(tls.getSslEndPoint().getConnection())) {
        tls.getEndPoint().close(new TimeoutException("The request did not arrive in time."));
      } else {
        schedule();
      }
    }

    private boolean isTrickling(Connection http) {
      long requestsNow = http.getMessagesIn();
      long bytesNow = http.getBytesIn();
      boolean first = !looked;
      boolean suspicious =
          requestsNow == requests && bytesNow > bytes && requestsNow == http.getMessagesOut();
      suspicions = suspicious && isHttp1(http) ? suspicions + 1 : 0;
      looked = true;
      requests = requestsNow;
      bytes = bytesNow;
      return first ? requestsNow == 0 : suspicions >= 2;
    }

    private static boolean isHttp1(Connection http) {
      return !(http instanceof org.eclipse.jetty.http2.HTTP2Connection);
    }
  }
}
