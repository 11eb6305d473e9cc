package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A rule of a container that decides by its exit code, before its restart policy does.
 *
 * @param action {@code Restart} or {@code RestartAllContainers}
 * @param operator {@code In} or {@code NotIn}
 */
public record RestartRule(String action, String operator, Set<Integer> exitCodes) {
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
}
