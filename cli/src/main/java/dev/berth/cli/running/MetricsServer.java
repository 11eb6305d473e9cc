package dev.berth.cli.running;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Shows the metrics of a component that is not in the API server's process. */
public final class MetricsServer implements AutoCloseable {
  private final HttpServer server;

  private MetricsServer(HttpServer server) {
    this.server = server;
  }

  public static MetricsServer start(int port, Metrics metrics) {
    MetricsText.Format format = MetricsText.Format.PROMETHEUS;
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.createContext(
          "/metrics", exchange -> answer(exchange, format.contentType(), metrics.text(format)));
      server.createContext("/healthz", exchange -> answer(exchange, "text/plain", "ok"));
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.start();
      return new MetricsServer(server);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot serve metrics on 127.0.0.1:%d: %s".formatted(port, e.getMessage()), e);
    }
  }

  private static void answer(HttpExchange exchange, String contentType, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", contentType);
    exchange.sendResponseHeaders(200, bytes.length);
    try (var body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
