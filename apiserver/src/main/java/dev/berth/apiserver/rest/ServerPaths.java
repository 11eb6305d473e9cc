package dev.berth.apiserver.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.http.Response;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.Optional;

/** What the server says of itself: whether it is well, and which version it is. */
final class ServerPaths {
  static final byte[] NOT_FOUND = "404 page not found\n".getBytes(UTF_8);

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final List<String> CHECKS = List.of("ping");

  Optional<Response> answer(String path, Query query) {
    return switch (path) {
      case "/healthz", "/livez", "/readyz" -> Optional.of(health(path.substring(1), query));
      case "/version", "/version/" -> Optional.of(version());
      default -> check(path);
    };
  }

  private static Response health(String name, Query query) {
    if (!query.flag("verbose")) {
      return Response.of(200, TEXT, "ok".getBytes(UTF_8));
    }
    StringBuilder text = new StringBuilder();
    CHECKS.forEach(check -> text.append("[+]").append(check).append(" ok\n"));
    text.append(name).append(" check passed\n");
    return Response.of(200, TEXT, text.toString().getBytes(UTF_8));
  }

  private static Optional<Response> check(String path) {
    boolean known =
        CHECKS.stream()
            .anyMatch(check ->
                path.equals("/healthz/" + check)
                    || path.equals("/livez/" + check)
                    || path.equals("/readyz/" + check));
    return known ? Optional.of(Response.of(200, TEXT, "ok".getBytes(UTF_8))) : Optional.empty();
  }

  private static Response version() {
    JsonObject version =
        new JsonObject.Builder()
            .put("major", "1")
            .put("minor", "36")
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
