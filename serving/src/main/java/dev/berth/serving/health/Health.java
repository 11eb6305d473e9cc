package dev.berth.serving.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Answers {@code /healthz}, {@code /livez} and {@code /readyz}, and each check by itself below
 * them. The whole may be asked by anybody, so it does not say why a check fails.
 *
 * <p>A server that is shutting down is alive but not ready.
 */
public final class Health {
  private static final HealthCheck PING = new HealthCheck("ping", Optional::empty);

  private final List<HealthCheck> alive = new ArrayList<>();
  private final List<HealthCheck> ready = new ArrayList<>();
  private volatile boolean shuttingDown;

  /**
   * @param others what else must be well, such as what has to be done after the start
   */
  public Health(Store store, List<HealthCheck> others) {
    HealthCheck writable =
        new HealthCheck("store", () -> store.failure().map(e -> String.valueOf(e.getMessage())));
    for (List<HealthCheck> checks : List.of(alive, ready)) {
      checks.add(PING);
      checks.add(writable);
      checks.addAll(others);
    }
    ready.add(
        new HealthCheck(
            "shutdown",
            () -> shuttingDown ? Optional.of("process is shutting down") : Optional.empty()));
  }

  /** From now on the server is not ready. */
  public void shutDown() {
    shuttingDown = true;
  }

  /**
   * The answer at a path, if it is one of these.
   *
   * @param excluded names of checks that shall not count
   */
  public Optional<Response> answer(String path, boolean verbose, Set<String> excluded) {
    for (String name : List.of("healthz", "livez", "readyz")) {
      List<HealthCheck> checks = name.equals("readyz") ? ready : alive;
      String root = "/" + name;
      if (path.equals(root) || path.equals(root + "/")) {
        return Optional.of(all(name, checks, verbose, excluded));
      }
      if (path.startsWith(root + "/")) {
        String wanted = path.substring(root.length() + 1);
        return checks.stream()
            .filter(check -> check.name().equals(wanted))
            .findFirst()
            .map(Health::one);
      }
    }
    return Optional.empty();
  }

  private static Response one(HealthCheck check) {
    return check
        .problem()
        .get()
        .map(problem -> text(500, "internal server error: " + problem + "\n"))
        .orElseGet(() -> text(200, "ok"));
  }

  private static Response all(
      String name, List<HealthCheck> checks, boolean verbose, Set<String> excluded) {
    StringBuilder text = new StringBuilder();
    Set<String> unknown = new TreeSet<>(excluded);
    boolean failed = false;
    for (HealthCheck check : checks) {
      if (unknown.remove(check.name())) {
        text.append("[+]").append(check.name()).append(" excluded: ok\n");
      } else if (check.problem().get().isPresent()) {
        failed = true;
        text.append("[-]").append(check.name()).append(" failed: reason withheld\n");
      } else {
        text.append("[+]").append(check.name()).append(" ok\n");
      }
    }
    if (!unknown.isEmpty()) {
      text.append("warn: some health checks cannot be excluded: no matches for ")
          .append(unknown.stream().map(n -> "\"" + n + "\"").collect(Collectors.joining(",")))
          .append('\n');
    }
    if (failed) {
      return text(500, text + name + " check failed\n");
    }
    return text(200, verbose ? text + name + " check passed\n" : "ok");
  }

  private static Response text(int status, String text) {
    return new Response(
        status,
        Headers.of("Content-Type", "text/plain; charset=utf-8")
            .with("X-Content-Type-Options", "nosniff")
            .with("Cache-Control", "no-cache, private"),
        List.of(text.getBytes(UTF_8)));
  }
}
