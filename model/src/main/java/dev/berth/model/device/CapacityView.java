package dev.berth.model.device;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * How much of something a device has, and how much of it claims may have.
 *
 * @param policy how requests are rounded and limited; empty if they are not
 */
public record CapacityView(Quantity value, Optional<RequestPolicy> policy) {

  static CapacityView read(JsonObject tree) {
    return new CapacityView(
        quantity(tree, "value"),
        tree.has("requestPolicy")
            ? Optional.of(RequestPolicy.read(tree.object("requestPolicy")))
            : Optional.empty());
  }

  /** An amount; nothing if it is missing or malformed. */
  public static Quantity quantity(JsonObject tree, String field) {
    return optional(tree, field).orElse(Quantity.ZERO);
  }

  static Optional<Quantity> optional(JsonObject tree, String field) {
    Object value = tree.get(field);
    try {
      return value == null ? Optional.empty() : Optional.of(Quantity.fromTree(value));
    } catch (QuantityFormatException _) {
      return Optional.empty();
    }
  }

  /**
   * How requests are rounded and limited.
   *
   * @param whenAbsent what a request gets that names no amount
   * @param validValues in ascending order; any amount if there are none
   */
  public record RequestPolicy(
      Optional<Quantity> whenAbsent, List<Quantity> validValues, Optional<ValidRange> validRange) {

    static RequestPolicy read(JsonObject tree) {
      List<Quantity> values =
          tree.array("validValues").values().stream()
              .flatMap(value -> optional(JsonObject.of("value", value), "value").stream())
              .toList();
      return new RequestPolicy(
          optional(tree, "default"),
          values,
          tree.has("validRange")
              ? Optional.of(ValidRange.read(tree.object("validRange")))
              : Optional.empty());
    }
  }

  /** From which amount to which, and in which steps. */
  public record ValidRange(
      Optional<Quantity> min, Optional<Quantity> max, Optional<Quantity> step) {

    static ValidRange read(JsonObject tree) {
      return new ValidRange(optional(tree, "min"), optional(tree, "max"), optional(tree, "step"));
    }
  }
}
