package dev.berth.policy.job;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
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
 *
 * @param rules as the job has them
 */
public record FailurePolicy(List<JsonObject> rules) {

  public FailurePolicy {
    rules = List.copyOf(rules);
  }

  /** What follows. */
  public enum Action {
    /** The job has failed. */
    FAIL_JOB,
    /** The pod's index has failed. */
    FAIL_INDEX,
    /** It does not count. */
    IGNORE,
    /** It counts. */
    COUNT;

    private static Optional<Action> of(String word) {
      return switch (word) {
        case "FailJob" -> Optional.of(FAIL_JOB);
        case "FailIndex" -> Optional.of(FAIL_INDEX);
        case "Ignore" -> Optional.of(IGNORE);
        case "Count" -> Optional.of(COUNT);
        default -> Optional.empty();
      };
    }
  }

  /**
   * The rule that matched.
   *
   * @param message why the job fails, if it does
   */
  public record Match(Action action, String message) {}

  /** The first rule that matches a pod that has failed. */
  public Optional<Match> match(JsonObject pod) {
    for (int i = 0; i < rules.size(); i++) {
      JsonObject rule = rules.get(i);
      String word = rule.text("action", "");
      Optional<Action> action = Action.of(word);
      Optional<String> why = action.isEmpty() ? Optional.empty() : why(rule, pod);
      if (why.isPresent()) {
        String message = why.get() + " matching " + word + " rule at index " + i;
        return Optional.of(new Match(action.get(), message));
      }
    }
    return Optional.empty();
  }

  /** Whether a failure counts. */
  boolean counts(JobPod pod) {
    return rules.isEmpty()
        || match(pod.tree()).filter(match -> match.action() == Action.IGNORE).isEmpty();
  }

  private static Optional<String> why(JsonObject rule, JsonObject pod) {
    JsonObject status = pod.object("status");
    Metadata metadata = Metadata.of(pod);
    String name = metadata.namespace() + "/" + metadata.name();
    if (rule.has("onExitCodes")) {
      JsonObject codes = rule.object("onExitCodes");
      return ended(codes, status.array("containerStatuses").objects())
          .or(() -> ended(codes, status.array("initContainerStatuses").objects()))
          .map(container ->
              "Container %s for pod %s failed with exit code %d"
                  .formatted(container.text("name", ""), name, exitCode(container)));
    }
    List<JsonObject> patterns = rule.array("onPodConditions").objects();
    return status.array("conditions").objects().stream()
        .filter(condition -> patterns.stream().anyMatch(pattern -> isOf(pattern, condition)))
        .findFirst()
        .map(condition -> "Pod " + name + " has condition " + condition.text("type", ""));
  }

  private static boolean isOf(JsonObject pattern, JsonObject condition) {
    return pattern.text("type", "").equals(condition.text("type", ""))
        && pattern.text("status", "True").equals(condition.text("status", ""));
  }

  private static Optional<JsonObject> ended(JsonObject codes, List<JsonObject> containers) {
    String name = codes.text("containerName", "");
    return containers.stream()
        .filter(container -> name.isEmpty() || name.equals(container.text("name", "")))
        .filter(container -> exitCode(container) != 0)
        .filter(container -> isMeant(codes, exitCode(container)))
        .findFirst();
  }

  private static long exitCode(JsonObject container) {
    return container.object("state").object("terminated").integer("exitCode").orElse(0);
  }

  private static boolean isMeant(JsonObject codes, long code) {
    boolean isAmong = codes.array("values").values().contains(code);
    return switch (codes.text("operator", "")) {
      case "In" -> isAmong;
      case "NotIn" -> !isAmong;
      default -> false;
    };
  }
}
