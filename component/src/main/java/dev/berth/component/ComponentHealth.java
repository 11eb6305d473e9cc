package dev.berth.component;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * How the components of a process are, for {@code /readyz} and {@code /livez}.
 *
 * <ol>
 *   <li>A process is not ready while one of its components is down or not started yet. Once it has
 *       started all, it stays ready while it starts others.
 *   <li>It is no longer alive while a component is down that failed {@value #FAILURES_UNTIL_DEAD}
 *       times without a good run ({@link RestartBackoff#GOOD_RUN}) in between: starting the
 *       component afresh does not help, so that whoever runs the process may try to start that
 *       afresh. Between two attempts of such a component lies most of a minute, so that probes see
 *       it down.
 * </ol>
 *
 * <p>Written by the supervisor's loop, read by any thread.
 */
public final class ComponentHealth {
  static final int FAILURES_UNTIL_DEAD = 6;

  /** In the order of their names, so that reports are easily compared. */
  private final Map<String, ComponentStatus> components = new ConcurrentSkipListMap<>();

  void set(String name, ComponentStatus status) {
    components.put(name, status);
  }

  void remove(String name) {
    components.remove(name);
  }

  /** Empty if nothing runs under the name. */
  public Optional<ComponentStatus> status(String name) {
    return Optional.ofNullable(components.get(name));
  }

  /** A check for each component, {@code component/scheduler} for one. */
  public List<HealthCheck> readiness() {
    List<HealthCheck> checks = new ArrayList<>();
    components.forEach((name, status) -> checks.add(check(name, status.notReady())));
    return checks;
  }

  /** The same, failing for those that do not come back. */
  public List<HealthCheck> liveness() {
    List<HealthCheck> checks = new ArrayList<>();
    components.forEach((name, status) ->
        checks.add(check(name, status.notReady().filter(_ -> hasFailedToComeBack(status)))));
    return checks;
  }

  private static boolean hasFailedToComeBack(ComponentStatus status) {
    return status instanceof ComponentStatus.Down down && down.failures() >= FAILURES_UNTIL_DEAD;
  }

  private static HealthCheck check(String name, Optional<String> problem) {
    return new HealthCheck("component/" + name, () -> problem);
  }
}
