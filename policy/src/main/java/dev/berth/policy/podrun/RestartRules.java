package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerRules;
import dev.berth.model.core.ContainerState;
import dev.berth.model.core.PodRules;
import dev.berth.model.core.RestartRule;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a container is started again after it ended: by the first of its rules that its exit code
 * matches, else by its own restart policy, else by its pod's. Rules count only beside a policy of
 * the container's own.
 */
final class RestartRules {
  private static final String RESTART = "Restart";
  private static final String RESTART_ALL = "RestartAllContainers";
  private static final String NEVER = "Never";

  private RestartRules() {}

  static boolean restarts(PodRules pod, ContainerRules container, int exitCode) {
    boolean hasRule =
        !container.restartPolicy().isEmpty()
            && rule(container, exitCode)
                .filter(rule -> rule.action().equals(RESTART) || isForAll(rule))
                .isPresent();
    return hasRule
        || switch (policy(pod, container)) {
          case NEVER -> false;
          case "OnFailure" -> exitCode != 0;
          default -> true;
        };
  }

  /** The same; one that was removed so that all begin afresh is started again in any case. */
  static boolean restarts(PodRules pod, ContainerRules container, ContainerState.Ended end) {
    return end.reason().equals(ContainerState.Ended.RESTARTING_ALL)
        || restarts(pod, container, end.exitCode());
  }

  /** Whether it is started again after its node killed it, so that its exit code says nothing. */
  static boolean restartsAfterKill(PodRules pod, ContainerRules container) {
    return !policy(pod, container).equals(NEVER);
  }

  private static String policy(PodRules pod, ContainerRules container) {
    return container.restartPolicy().isEmpty() ? pod.restartPolicy() : container.restartPolicy();
  }

  /** Whether all containers are started afresh because of how one ended. */
  static boolean restartsAll(ContainerRules container, int exitCode) {
    return rule(container, exitCode).filter(RestartRules::isForAll).isPresent();
  }

  /** Whether a rule of one of its containers may restart all of them. */
  static boolean mayRestartAll(PodRules pod) {
    return Stream.concat(pod.inits().stream(), pod.containers().stream())
        .flatMap(container -> container.restartRules().stream())
        .anyMatch(RestartRules::isForAll);
  }

  private static boolean isForAll(RestartRule rule) {
    return rule.action().equals(RESTART_ALL);
  }

  private static Optional<RestartRule> rule(ContainerRules container, int exitCode) {
    return container.restartRules().stream().filter(rule -> matches(rule, exitCode)).findFirst();
  }

  private static boolean matches(RestartRule rule, int exitCode) {
    return switch (rule.operator()) {
      case "In" -> rule.exitCodes().contains(exitCode);
      case "NotIn" -> !rule.exitCodes().contains(exitCode);
      default -> false;
    };
  }
}
