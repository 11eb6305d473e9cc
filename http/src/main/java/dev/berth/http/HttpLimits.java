package dev.berth.http;

import dev.berth.http.jetty.HttpServer;
import java.time.Duration;

/**
 * Limits that keep one client from starving the others.
 *
 * @param connections how many there may be
 * @param maxStreamsPerConnection requests at a time on one HTTP/2 connection
 * @param http2EventsPerSecond resets, pings, settings and the like on one HTTP/2 connection; more
 *     end it. Cancelling many watches at once is legitimate and must stay below
 * @param maxHeaderBytes request line and headers; more are answered 431
 * @param idle how long a connection without a request stays, and how long a body or a response may
 *     make no progress
 * @param requestArrival how long the handshake and the first request's headers may take together; a
 *     body may take twice as long
 * @param drain how long running requests may take after {@link HttpServer#close}
 */
public record HttpLimits(
    ConnectionLimits connections,
    int maxStreamsPerConnection,
    int http2EventsPerSecond,
    int maxHeaderBytes,
    Duration idle,
    Duration requestArrival,
    Duration drain) {

  public static final HttpLimits DEFAULT =
      new HttpLimits(
          ConnectionLimits.DEFAULT,
          250,
          5_000,
          64 * 1024,
          Duration.ofSeconds(90),
          Duration.ofSeconds(32),
          Duration.ofSeconds(10));

  public HttpLimits {
    if (maxStreamsPerConnection < 1
        || http2EventsPerSecond < 1
        || maxHeaderBytes < 1
        || !idle.isPositive()
        || !requestArrival.isPositive()
        || !drain.isPositive()) {
      throw new IllegalArgumentException("Every limit of the HTTP server must be above zero.");
    }
  }

  /** How long a request's body may take to arrive, about as long as upstream allows. */
  public Duration bodyArrival() {
    // Not multiplied, which takes numbers of any size: each request asks.
    return requestArrival.plus(requestArrival);
  }

  public HttpLimits withConnections(ConnectionLimits limits) {
    return new HttpLimits(
        limits,
        maxStreamsPerConnection,
        http2EventsPerSecond,
        maxHeaderBytes,
        idle,
        requestArrival,
        drain);
  }

  public HttpLimits withHttp2EventsPerSecond(int events) {
    return new HttpLimits(
        connections, maxStreamsPerConnection, events, maxHeaderBytes, idle, requestArrival, drain);
  }

  /** The same with other time-outs; see the components of this record. */
  public HttpLimits withTimes(Duration idle, Duration requestArrival, Duration drain) {
    return new HttpLimits(
        connections,
        maxStreamsPerConnection,
        http2EventsPerSecond,
        maxHeaderBytes,
        idle,
        requestArrival,
        drain);
  }
}
