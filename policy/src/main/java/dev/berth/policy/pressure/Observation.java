package dev.berth.policy.pressure;

import dev.berth.model.quantity.Quantity;

/** How much there is of something, and how much of it is left. */
public record Observation(Quantity available, Quantity capacity) {

  public static Observation of(Signal signal, long available, long capacity) {
    return new Observation(
        Quantity.of(available, signal.format()), Quantity.of(capacity, signal.format()));
  }
}
