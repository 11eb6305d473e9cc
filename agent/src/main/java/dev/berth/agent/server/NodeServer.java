package dev.berth.agent.server;

import dev.berth.http.ConnectionLimits;
import dev.berth.http.HttpConfig;
import dev.berth.http.HttpLimits;
import dev.berth.http.ServerTls;
import dev.berth.http.jetty.HttpServer;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the node's port over HTTPS. Requests run on threads of their own; the state that they
 * share is that of the parts they ask, and of {@link LogTicker}.
 */
public final class NodeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);

  /** The API server and a few who monitor; sessions of users come through the former. */
  private static final HttpLimits LIMITS =
      HttpLimits.DEFAULT
          .withConnections(new ConnectionLimits(4_000, 3_000, 500, 200))
          .withTimes(Duration.ofSeconds(90), Duration.ofSeconds(32), Duration.ofSeconds(2));

  private final HttpServer http;
  private final LogTicker ticker;
  private final SessionTimers timers;

  private NodeServer(HttpServer http, LogTicker ticker, SessionTimers timers) {
    this.http = http;
    this.ticker = ticker;
    this.timers = timers;
  }

  /** Begins to serve; returns when connections are accepted. */
  public static NodeServer start(NodeServerConfig config, NodeParts parts) {
    LogTicker ticker = new LogTicker(parts.time());
    SessionTimers timers = new SessionTimers(parts.time());
    NodeAccess access =
        new NodeAccess(
            parts.api(), config.clients(), config.memory(), parts.time(), parts.node().name());
    Sessions sessions = new Sessions();
    FoundPods found = new FoundPods(parts.pods());
    Optional<NodeRoutes.Debugging> debugging =
        config.enableDebuggingHandlers()
            ? Optional.of(
                new NodeRoutes.Debugging(
                    new ContainerLogs(parts, found, ticker),
                    new RemoteCommands(parts.runtime(), found, sessions, timers),
                    new PortForwards(parts.runtime(), found, sessions),
                    systemLogs(config)))
            : Optional.empty();
    NodeRoutes routes = new NodeRoutes(access, new NodePages(parts), debugging);
    HttpServer http;
    try {
      http =
          HttpServer.start(
              new HttpConfig(
                  config.address(),
                  config.tls(),
                  LIMITS,
                  (method, path, cause) -> LOG.error("{} {} failed", method, path, cause)),
              routes);
    } catch (RuntimeException e) {
      ticker.close();
      timers.close();
      throw e;
    }
    return new NodeServer(http, ticker, timers);
  }

  private static Optional<SystemLogs> systemLogs(NodeServerConfig config) {
    return switch (config.systemLogs()) {
      case NONE -> Optional.empty();
      case FILES -> Optional.of(new SystemLogs(config.logDirectory(), Optional.empty()));
      case FILES_AND_QUERIES ->
          Optional.of(
              new SystemLogs(
                  config.logDirectory(), Optional.of(new ServiceLogs(config.logDirectory()))));
    };
  }

  public int port() {
    return http.port();
  }

  /** Shows clients another certificate from now on; connections that are open stay. */
  public void use(ServerTls tls) {
    http.use(tls);
  }

  /** Ends all sessions and closes the port. */
  @Override
  public void close() {
    http.close();
    ticker.close();
    timers.close();
  }
}
