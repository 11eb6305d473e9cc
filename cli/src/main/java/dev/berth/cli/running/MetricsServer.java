package dev.berth.cli.running;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.component.HealthEndpoints;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;

/** Serves metrics and health of a process that has no API server. */
public final class MetricsServer implements AutoCloseable {
  private static final String EXCLUDE = "exclude=";

  private final HttpServer server;

  private MetricsServer(HttpServer server) {
    this.server = server;
  }

  public static MetricsServer start(int port, Metrics metrics, HealthEndpoints health) {
    MetricsText.Format format = MetricsText.Format.PROMETHEUS;
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/metrics",
          exchange -> answer(exchange, 200, format.contentType(), metrics.text(format)));
      server.createContext("/", exchange -> answerHealth(exchange, health));
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.start();
      return new MetricsServer(server);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot serve metrics on 127.0.0.1:%d: %s".formatted(port, e.getMessage()), e);
    }
  }

  private static void answerHealth(HttpExchange exchange, HealthEndpoints health)
      throws IOException {
    URI uri = exchange.getRequestURI();
    Set<String> excluded = new TreeSet<>();
    boolean verbose = false;
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    for (String parameter : query.split("&", -1)) {
      verbose |= parameter.equals("verbose") || parameter.startsWith("verbose=");
      if (parameter.startsWith(EXCLUDE)) {
        excluded.add(parameter.substring(EXCLUDE.length()));
      }
    }
    HealthEndpoints.Answer answer =
        health
            .answer(uri.getPath(), verbose, excluded)
            .orElseGet(() -> new HealthEndpoints.Answer(404, "404 page not found\n"));
    answer(exchange, answer.status(), "text/plain; charset=utf-8", answer.text());
  }

  private static void answer(HttpExchange exchange, int status, String contentType, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", contentType);
    exchange.sendResponseHeaders(status, bytes.length);
    try (var body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
