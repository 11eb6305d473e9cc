package dev.berth.policy.job;

import dev.berth.model.batch.PodFailurePolicyRule;
import dev.berth.model.batch.PodFailurePolicyRule.Action;
import dev.berth.model.batch.PodFailurePolicyRule.ConditionPattern;
import dev.berth.model.batch.PodFailurePolicyRule.OnExitCodes;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ContainerStatus;
import dev.berth.model.core.PodTree;
import java.util.List;
import java.util.Optional;

/**
 * What the failure of a pod means, by its exit codes or its conditions. The first rule that matches
 * counts; where none does, the failure counts as any other.
 *
 * <ol>
 *   <li>{@code onExitCodes} matches if a container, the one it names or any, ended with a code
 *       other than 0 that is {@code In} its values, or {@code NotIn} them. What still runs has no
 *       code.
 *   <li>{@code onPodConditions} matches if the pod has one of the conditions with the same status.
 * </ol>
 */
final class FailurePolicy {
  private FailurePolicy() {}

  /**
   * The rule that matched.
   *
   * @param message why the job fails, if it does
   */
  record Match(Action action, String message) {}

  /** The first rule that matches a pod that has failed. */
  static Optional<Match> match(List<PodFailurePolicyRule> rules, JobPod pod) {
    for (int i = 0; i < rules.size(); i++) {
      PodFailurePolicyRule rule = rules.get(i);
      Optional<String> why =
          rule.action() == Action.UNKNOWN ? Optional.empty() : why(rule, pod.pod());
      if (why.isPresent()) {
        String message = why.get() + " matching " + rule.action().text() + " rule at index " + i;
        return Optional.of(new Match(rule.action(), message));
      }
    }
    return Optional.empty();
  }

  /** Whether a failure counts. */
  static boolean counts(List<PodFailurePolicyRule> rules, JobPod pod) {
    return match(rules, pod).filter(match -> match.action() == Action.IGNORE).isEmpty();
  }

  private static Optional<String> why(PodFailurePolicyRule rule, PodTree pod) {
    OnExitCodes codes = rule.onExitCodes();
    if (codes != null) {
      return ended(codes, pod.containerStatuses())
          .or(() -> ended(codes, pod.initContainerStatuses()))
          .map(container ->
              "Container %s for pod %s failed with exit code %d"
                  .formatted(container.name(), pod.name(), container.exitCode()));
    }
    return pod.readConditions().stream()
        .filter(condition ->
            rule.onPodConditions().stream().anyMatch(pattern -> isOf(pattern, condition)))
        .findFirst()
        .map(condition -> "Pod " + pod.name() + " has condition " + condition.type());
  }

  private static boolean isOf(ConditionPattern pattern, Condition condition) {
    return pattern.type().equals(condition.type()) && pattern.status() == condition.status();
  }

  private static Optional<ContainerStatus> ended(
      OnExitCodes codes, List<ContainerStatus> containers) {
    String name = codes.containerName();
    return containers.stream()
        .filter(container -> name.isEmpty() || name.equals(container.name()))
        .filter(container -> container.exitCode() != 0)
        .filter(container -> codes.matches(container.exitCode()))
        .findFirst();
  }
}
