package dev.berth.model.core;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Which amount of a container its pod is told, {@code resourceFieldRef}.
 *
 * @param containerName empty for the container that asks
 * @param resource such as {@code limits.cpu}
 * @param divisor 1 if none is given
 */
public record ResourceFieldSelector(String containerName, String resource, Quantity divisor) {

  public static ResourceFieldSelector read(JsonObject reference) {
    return new ResourceFieldSelector(
        reference.text("containerName", ""),
        reference.text("resource", ""),
        divisor(reference.get("divisor")));
  }

  private static Quantity divisor(@Nullable Object value) {
    try {
      Quantity given = value == null ? Quantity.ZERO : Quantity.fromTree(value);
      return given.isZero() ? Quantity.of(1) : given;
    } catch (QuantityFormatException malformed) {
      return Quantity.of(1);
    }
  }
}
