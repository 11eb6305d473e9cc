package dev.berth.model.autoscaling;

import dev.berth.model.core.Views;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How fast an autoscaler may add and remove replicas. */
public record AutoscalerBehavior(Rules scaleUp, Rules scaleDown) {
  private static final Duration DEFAULT_PERIOD = Duration.ofSeconds(15);
  private static final int DEFAULT_PODS = 4;
  private static final int DOUBLE = 100;

  /** Which of several policies counts. */
  public enum Select {
    /** The one that changes most. */
    MAX,
    /** The one that changes least. */
    MIN,
    /** None: there is no scaling in this direction. */
    DISABLED;

    static Select of(String word) {
      return switch (word) {
        case "Min" -> MIN;
        case "Disabled" -> DISABLED;
        default -> MAX;
      };
    }
  }

  /**
   * How much may change within a period.
   *
   * @param isPercent whether the value is a percentage of the replicas rather than a number of pods
   */
  public record Policy(boolean isPercent, int value, Duration period) {
    static Policy read(JsonObject policy) {
      return new Policy(
          policy.text("type", "").equals("Percent"),
          Math.toIntExact(policy.integer("value").orElse(0)),
          Duration.ofSeconds(policy.integer("periodSeconds").orElse(0)));
    }
  }

  /**
   * The rules for one direction.
   *
   * @param stabilizationWindow for how long past recommendations count; null for the default
   * @param tolerance which deviation is ignored, as a share of 1; null for the default
   */
  public record Rules(
      Select select,
      List<Policy> policies,
      @Nullable Duration stabilizationWindow,
      @Nullable Double tolerance) {
    public Rules {
      policies = List.copyOf(policies);
    }

    private static Rules read(JsonObject rules, Rules defaults) {
      List<Policy> policies = Views.list(rules.array("policies"), Policy::read);
      var window = rules.integer("stabilizationWindowSeconds");
      return new Rules(
          Select.of(rules.text("selectPolicy", "")),
          policies.isEmpty() ? defaults.policies : policies,
          window.isPresent()
              ? Duration.ofSeconds(window.getAsLong())
              : defaults.stabilizationWindow,
          share(rules.get("tolerance")));
    }

    private static @Nullable Double share(@Nullable Object value) {
      try {
        return value == null ? null : Quantity.fromTree(value).amount().doubleValue();
      } catch (QuantityFormatException e) {
        return null;
      }
    }

    /** The longest period of a policy: older changes matter to none. */
    public Duration longestPeriod() {
      return policies.stream().map(Policy::period).max(Duration::compareTo).orElse(Duration.ZERO);
    }
  }

  /** What counts for what is left out, as servers fill it in. */
  private static final Rules DEFAULT_UP =
      new Rules(
          Select.MAX,
          List.of(
              new Policy(false, DEFAULT_PODS, DEFAULT_PERIOD),
              new Policy(true, DOUBLE, DEFAULT_PERIOD)),
          Duration.ZERO,
          null);

  private static final Rules DEFAULT_DOWN =
      new Rules(Select.MAX, List.of(new Policy(true, DOUBLE, DEFAULT_PERIOD)), null, null);

  static AutoscalerBehavior read(JsonObject behavior) {
    return new AutoscalerBehavior(
        Rules.read(behavior.object("scaleUp"), DEFAULT_UP),
        Rules.read(behavior.object("scaleDown"), DEFAULT_DOWN));
  }
}
