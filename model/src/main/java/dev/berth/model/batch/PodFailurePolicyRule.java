package dev.berth.model.batch;

import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows if a pod of a Job fails in a certain way.
 *
 * @param onExitCodes by which ends of containers it is told; null if by conditions
 * @param onPodConditions by which conditions of the pod it is told
 */
public record PodFailurePolicyRule(
    Action action, @Nullable OnExitCodes onExitCodes, List<ConditionPattern> onPodConditions) {

  /** What follows. */
  public enum Action {
    /** The job has failed. */
    FAIL_JOB("FailJob"),
    /** The pod's index has failed. */
    FAIL_INDEX("FailIndex"),
    /** The failure does not count. */
    IGNORE("Ignore"),
    /** The failure counts. */
    COUNT("Count"),
    /** The word is one that this version does not know. */
    UNKNOWN("");

    private final String text;

    Action(String text) {
      this.text = text;
    }

    private static Action of(String text) {
      for (Action action : values()) {
        if (action.text.equals(text)) {
          return action;
        }
      }
      return UNKNOWN;
    }

    public String text() {
      return text;
    }
  }

  /** A condition that a pod may have. */
  public record ConditionPattern(String type, ConditionStatus status) {
    private static ConditionPattern read(JsonObject pattern) {
      return new ConditionPattern(
          pattern.text("type", ""), ConditionStatus.of(pattern.text("status", "True")));
    }
  }

  /**
   * Codes with which a container may end.
   *
   * @param containerName which container; empty if any
   * @param operator {@code In} or {@code NotIn}
   */
  public record OnExitCodes(String containerName, String operator, JsonArray values) {
    private static OnExitCodes read(JsonObject codes) {
      return new OnExitCodes(
          codes.text("containerName", ""), codes.text("operator", ""), codes.array("values"));
    }

    /** Whether a code is one of those that are meant. */
    public boolean matches(long code) {
      boolean isAmong = values.values().contains(code);
      return switch (operator) {
        case "In" -> isAmong;
        case "NotIn" -> !isAmong;
        default -> false;
      };
    }
  }

  public static PodFailurePolicyRule read(JsonObject rule) {
    return new PodFailurePolicyRule(
        Action.of(rule.text("action", "")),
        rule.has("onExitCodes") ? OnExitCodes.read(rule.object("onExitCodes")) : null,
        Views.list(rule.array("onPodConditions"), ConditionPattern::read));
  }
}
