package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.component.HealthCheck;
import dev.berth.http.Response;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.serving.health.Health;
import dev.berth.serving.request.Query;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Answers the paths that are about the server itself: health, metrics, version, and debug pages.
 */
public final class ServerPaths {
  static final byte[] NOT_FOUND = "404 page not found\n".getBytes(UTF_8);

  private final Health health;
  private final Metrics metrics;
  private final List<DebugPages> debugPages = new CopyOnWriteArrayList<>();

  public ServerPaths(Health health, Metrics metrics) {
    this.health = health;
    this.metrics = metrics;
  }

  /** What must be well in this process. */
  List<HealthCheck> checks() {
    return health.checks();
  }

  Optional<Response> answer(String path, Query query, List<String> accept) {
    return switch (path) {
      case "/version", "/version/" -> Optional.of(version());
      case "/metrics" -> Optional.of(metrics(MetricsText.Format.of(accept)));
      default ->
          path.startsWith(DebugPages.ROOT)
              ? debugPage(path, query)
              : health.answer(path, query.flag("verbose"), query.texts("exclude"));
    };
  }

  private Optional<Response> debugPage(String path, Query query) {
    return debugPages.stream()
        .flatMap(pages -> pages.answer(path, query::text).stream())
        .findFirst();
  }

  void serve(DebugPages pages) {
    debugPages.add(pages);
  }

  private Response metrics(MetricsText.Format format) {
    return Response.of(200, format.contentType(), metrics.text(format).getBytes(UTF_8));
  }

  private static Response version() {
    JsonObject version =
        new JsonObject.Builder()
            .put("major", "1")
            .put("minor", "36")
            .put("emulationMajor", "1")
            .put("emulationMinor", "36")
            .put("minCompatibilityMajor", "1")
            .put("minCompatibilityMinor", "35")
            .put("gitVersion", "v1.36.0+berth")
            .put("gitCommit", "")
            .put("gitTreeState", "clean")
            .put("buildDate", "1970-01-01T00:00:00Z")
            .put("goVersion", "")
            .put("compiler", "javac")
            .put("platform", "linux/amd64")
            .build();
    return Response.of(200, "application/json", JsonWriter.toBytes(version));
  }
}
