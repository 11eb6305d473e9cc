package dev.berth.http.jetty;

import dev.berth.http.Handler;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.WindowRateControl;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/**
 * HTTPS on one port, HTTP/1.1 or HTTP/2 as the client likes, each request on a virtual thread.
 *
 * <p>Threads: one accepts, one selects, both virtual as is everything else. The number of threads
 * is bounded by connections times streams, so no pool bounds it again: a pool that is full of
 * waiting watches would serve nobody.
 */
public final class HttpServer implements AutoCloseable {
  private static final int MAX_RESPONSE_HEADER_BYTES = 32 * 1024;
  private static final int ACCEPT_QUEUE = 1024;
  private static final int TOLERATED_HTTP2_HEADER_BYTES = 1024 * 1024;
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final Server server;
  private final Connector connector;
  private final int port;
  private final GracefulHandler requests;
  private final OpenStreams streams;
  private final ConnectionGate gate;
  private final Duration drain;
  private final TlsIdentity identity;

  private HttpServer(
      Server server,
      TlsIdentity identity,
      Connector connector,
      GracefulHandler requests,
      OpenStreams streams,
      ConnectionGate gate,
      Duration drain) {
    this.server = server;
    this.identity = identity;
    this.connector = connector;
    this.port = connector.getLocalPort();
    this.requests = requests;
    this.streams = streams;
    this.gate = gate;
    this.drain = drain;
  }

  /**
   * Begins to listen, and returns when connections are accepted.
   *
   * @throws UncheckedIOException with a sentence for the user, if the address cannot be used
   */
  public static HttpServer start(HttpConfig config, Handler handler) {
    VirtualThreadPool threads = new VirtualThreadPool();
    threads.setName("http");
    threads.setMaxConcurrentTasks(0);
    Server server = new Server(threads);
    server.setErrorHandler(new PlainErrors());
    server.setStopTimeout(0);

    TlsIdentity identity = new TlsIdentity(config.tls());
    Connector connector = connector(server, config, identity);
    server.addConnector(connector);
    ConnectionGate gate =
        new ConnectionGate(config.limits().connections(), threads, config.failures());
    connector.addBean(gate);

    OpenStreams streams = new OpenStreams();
    var adapter = new HandlerAdapter(handler, config.failures(), streams, gate, config.limits());
    var requests = new GracefulHandler(adapter);
    server.setHandler(requests);
    try {
      connector.open();
      server.start();
    } catch (IOException e) {
      connector.close();
      throw new UncheckedIOException(
          "The address %s cannot be listened on (%s): choose another one, or stop who uses it."
              .formatted(config.address(), e.getMessage()),
          e);
    } catch (Exception e) {
      throw new IllegalStateException("The HTTP server did not start.", e);
    }
    return new HttpServer(
        server, identity, connector, requests, streams, gate, config.limits().drain());
  }

  private static Connector connector(Server server, HttpConfig config, TlsIdentity identity) {
    HttpLimits limits = config.limits();
    var http1 = new HttpConnectionFactory(configuration(limits.maxHeaderBytes()));
    // Jetty ends the whole connection when a request's headers are larger than this; we answer 431
    // below it.
    int tolerated = Math.max(TOLERATED_HTTP2_HEADER_BYTES, limits.maxHeaderBytes());
    var http2 = new HTTP2ServerConnectionFactory(configuration(tolerated));
    http2.setMaxConcurrentStreams(limits.maxStreamsPerConnection());
    http2.setStreamIdleTimeout(limits.idle().toMillis());
    http2.setRateControlFactory(new WindowRateControl.Factory(limits.http2EventsPerSecond()));
    http2.setConnectProtocolEnabled(false);
    var alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol(http1.getProtocol());
    var tls = new SslConnectionFactory(Tls.contextFactory(identity), alpn.getProtocol());
    // Jetty's own look at the request would refuse a Host that the certificate does not name, as in
    // requests through a tunnel or a load balancer.
    tls.setEnsureSecureRequestCustomizer(false);

    var connector = new Connector(server, tls, alpn, http2, http1);
    connector.setHost(config.address().getAddress().getHostAddress());
    connector.setPort(config.address().getPort());
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    connector.setIdleTimeout(limits.idle().toMillis());
    connector.setShutdownIdleTimeout(limits.drain().toMillis());
    connector.addBean(new ArrivalDeadline(limits.requestArrival(), connector));
    connector.addBean(new FailedHandshakes(config.failures()));
    return connector;
  }

  private static HttpConfiguration configuration(int maxHeaderBytes) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(maxHeaderBytes);
    // Warnings are header fields, and together larger than most clients' requests.
    http.setMaxResponseHeaderSize(MAX_RESPONSE_HEADER_BYTES);
    // Paths are matched as they were sent, so there is no harm in any, and names may hold anything.
    http.setUriCompliance(UriCompliance.UNSAFE);
    return http;
  }

  /** Shows clients another certificate from now on; connections that are open stay. */
  public void use(ServerTls tls) {
    identity.use(tls);
  }

  /**
   * How many connections there are, and how many were refused or closed because of their number.
   */
  public record Connections(int authenticated, int unauthenticated, long refused) {}

  public Connections connections() {
    return gate.figures();
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /**
   * Sends clients elsewhere without failing a request of theirs: accepts no new connections, tells
   * those of HTTP/2 to go (GOAWAY) and those of HTTP/1.1 with their next answer, asks watches to
   * end, and goes on to answer what arrives nevertheless. Returns when all connections have ended,
   * or when the time is over.
   */
  public void leave(Duration patience) {
    // Not the connector's own shutdown: it would close HTTP/1.1 connections behind answers that had
    // promised to keep them.
    streams.leave();
    connector.stopListening();
    CompletableFuture<Void> left = gate.whenEmpty();
    var _ = Graceful.shutdown(connector.getConnectionFactory(HTTP2ServerConnectionFactory.class));
    streams.end();
    try {
      left.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException _) {
      // Clients that ask nothing keep their connections.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Accepts nothing new, asks watches to end, lets running requests finish for as long as the
   * configuration says, then closes all connections.
   */
  @Override
  public void close() {
    // Says farewell on all connections. Only requests are waited for: clients keep idle
    // connections.
    var _ = Graceful.shutdown(server);
    // Now, when clients whose watch ends can no longer begin another one here.
    streams.end();
    try {
      requests.shutdown().get(drain.toMillis(), TimeUnit.MILLISECONDS);
      awaitHttp2Farewells();
    } catch (TimeoutException | ExecutionException _) {
      // What did not finish in time is cut off: that is what the time is for.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("The HTTP server did not stop.", e);
    } finally {
      connector.closeAll();
    }
  }

  /**
   * Gives HTTP/2 clients a moment to close their connections themselves, as they do when they were
   * told to go and have their answers. Some, Java's own among them, drop an answer that has arrived
   * in full if the connection's end arrives before they have looked at it.
   */
  private void awaitHttp2Farewells()
      throws InterruptedException, ExecutionException, TimeoutException {
    var http2 = connector.getConnectionFactory(HTTP2ServerConnectionFactory.class);
    Graceful.shutdown(http2).get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
  }
}
