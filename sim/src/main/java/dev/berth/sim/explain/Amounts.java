package dev.berth.sim.explain;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;

/** Amounts of resources as people write them; cpu is in thousandths, all else in its unit. */
final class Amounts {
  private static final long MEBI = 1 << 20;

  private Amounts() {}

  static Quantity quantity(String resource, long amount) {
    return switch (resource) {
      case ResourceList.CPU -> Quantity.ofMillis(amount);
      case ResourceList.MEMORY, ResourceList.EPHEMERAL_STORAGE ->
          Quantity.of(amount, QuantityFormat.BINARY_SI);
      default -> Quantity.of(amount);
    };
  }

  /** Such as {@code 300m}, or {@code 1536Mi}: bytes are rounded up to mebibytes. */
  static String text(String resource, long amount) {
    boolean bytes =
        resource.equals(ResourceList.MEMORY) || resource.equals(ResourceList.EPHEMERAL_STORAGE);
    long shown = bytes && amount > MEBI ? Math.ceilDiv(amount, MEBI) * MEBI : amount;
    return quantity(resource, shown).toString();
  }

  static String withName(String resource, long amount) {
    return text(resource, amount) + " " + resource;
  }
}
