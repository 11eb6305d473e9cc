package dev.berth.policy.pressure;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormat;

/** An amount, or a share of what there is. */
public sealed interface ThresholdValue {

  record Amount(Quantity quantity) implements ThresholdValue {}

  /**
   * Between 0 and 1; a float, as upstream has it, so that both come to the same number of bytes.
   */
  record Share(float share) implements ThresholdValue {}

  /** The amount where there is so much. */
  default Quantity of(Quantity capacity) {
    return switch (this) {
      case Amount(Quantity quantity) -> quantity;
      case Share(float share) ->
          Quantity.of((long) (capacity.value() * (double) share), QuantityFormat.BINARY_SI);
    };
  }
}
