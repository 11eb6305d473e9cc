package dev.berth.component;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What {@code /healthz}, {@code /livez} and {@code /readyz} answer, and each check by itself below
 * them, in upstream's words. The whole may be asked by anybody, so it does not say why a check
 * fails; the check by itself does.
 */
public final class HealthEndpoints {
  private static final HealthCheck PING = new HealthCheck("ping", Optional::empty);
  private static final int OK = 200;
  private static final int FAILED = 500;

  private final Supplier<List<HealthCheck>> alive;
  private final Supplier<List<HealthCheck>> ready;

  /** An answer over HTTP, in plain text. */
  public record Answer(int status, String text) {}

  /**
   * @param alive what must be well for the process to be left running, now
   * @param ready what must be well for it to be of use, now
   */
  public HealthEndpoints(Supplier<List<HealthCheck>> alive, Supplier<List<HealthCheck>> ready) {
    this.alive = alive;
    this.ready = ready;
  }

  /** For a process that consists of its components. */
  public static HealthEndpoints of(ComponentHealth health) {
    return new HealthEndpoints(
        () -> withPing(health.liveness()), () -> withPing(health.readiness()));
  }

  private static List<HealthCheck> withPing(List<HealthCheck> checks) {
    checks.addFirst(PING);
    return checks;
  }

  /**
   * The answer at a path, if it is one of these.
   *
   * @param excluded names of checks that shall not count
   */
  public Optional<Answer> answer(String path, boolean verbose, Set<String> excluded) {
    for (String name : List.of("healthz", "livez", "readyz")) {
      Supplier<List<HealthCheck>> checks = name.equals("readyz") ? ready : alive;
      String root = "/" + name;
      if (path.equals(root) || path.equals(root + "/")) {
        return Optional.of(all(name, checks.get(), verbose, excluded));
      }
      if (path.startsWith(root + "/")) {
        String wanted = path.substring(root.length() + 1);
        return checks.get().stream()
            .filter(check -> check.name().equals(wanted))
            .findFirst()
            .map(HealthEndpoints::one);
      }
    }
    return Optional.empty();
  }

  private static Answer one(HealthCheck check) {
    return check
        .problem()
        .get()
        .map(problem -> new Answer(FAILED, "internal server error: " + problem + "\n"))
        .orElseGet(() -> new Answer(OK, "ok"));
  }

  private static Answer all(
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
      return new Answer(FAILED, text + name + " check failed\n");
    }
    return new Answer(OK, verbose ? text + name + " check passed\n" : "ok");
  }
}
