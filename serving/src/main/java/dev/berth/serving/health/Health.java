package dev.berth.serving.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.component.ComponentHealth;
import dev.berth.component.HealthCheck;
import dev.berth.component.HealthEndpoints;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers {@code /healthz}, {@code /livez} and {@code /readyz}, and each check by itself below
 * them.
 *
 * <ul>
 *   <li>A store that takes no more writes is neither alive nor ready: only a restart of the process
 *       opens it again.
 *   <li>What components say is {@link ComponentHealth}'s.
 *   <li>A server that is shutting down is alive but not ready.
 * </ul>
 */
public final class Health {
  private static final HealthCheck PING = new HealthCheck("ping", Optional::empty);

  private final List<HealthCheck> always = new ArrayList<>();
  private final ComponentHealth components;
  private final HealthEndpoints endpoints;
  private volatile boolean shuttingDown;

  /**
   * @param others what else must be well, such as what has to be done after the start
   */
  public Health(Store store, ComponentHealth components, List<HealthCheck> others) {
    this.components = components;
    always.add(PING);
    always.add(
        new HealthCheck("store", () -> store.failure().map(e -> String.valueOf(e.getMessage()))));
    always.addAll(others);
    HealthCheck shutdown =
        new HealthCheck(
            "shutdown",
            () -> shuttingDown ? Optional.of("process is shutting down") : Optional.empty());
    endpoints =
        new HealthEndpoints(
            () -> with(components.liveness(), List.of()),
            () -> with(components.readiness(), List.of(shutdown)));
  }

  private List<HealthCheck> with(List<HealthCheck> components, List<HealthCheck> last) {
    List<HealthCheck> checks = new ArrayList<>(always);
    checks.addAll(components);
    checks.addAll(last);
    return checks;
  }

  /** What must be well now. */
  public List<HealthCheck> checks() {
    return with(components.readiness(), List.of());
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
    return endpoints.answer(path, verbose, excluded).map(Health::response);
  }

  private static Response response(HealthEndpoints.Answer answer) {
    return new Response(
        answer.status(),
        Headers.of("Content-Type", "text/plain; charset=utf-8")
            .with("X-Content-Type-Options", "nosniff")
            .with("Cache-Control", "no-cache, private"),
        List.of(answer.text().getBytes(UTF_8)));
  }
}
