package dev.berth.policy.podrun;

import dev.berth.model.tree.JsonObject;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A rule of a container that decides by its exit code, before its restart policy does.
 *
 * @param operator {@code In} or {@code NotIn}
 */
public record RestartRule(String action, String operator, Set<Integer> exitCodes) {
  private static final String RESTART = "Restart";
  private static final String RESTART_ALL = "RestartAllContainers";

  static RestartRule read(JsonObject rule) {
    JsonObject exitCodes = rule.object("exitCodes");
    return new RestartRule(
        rule.text("action", ""),
        exitCodes.text("operator", ""),
        exitCodes.array("values").values().stream()
            .filter(Long.class::isInstance)
            .map(code -> Math.toIntExact((Long) code))
            .collect(Collectors.toUnmodifiableSet()));
  }

  boolean matches(int exitCode) {
    return switch (operator) {
      case "In" -> exitCodes.contains(exitCode);
      case "NotIn" -> !exitCodes.contains(exitCode);
      default -> false;
    };
  }

  boolean restarts() {
    return action.equals(RESTART) || restartsAll();
  }

  boolean restartsAll() {
    return action.equals(RESTART_ALL);
  }
}
