package dev.berth.model.quantity;

/** A text that is no quantity. The message is Kubernetes' own where it has one. */
public final class QuantityFormatException extends IllegalArgumentException {
  public QuantityFormatException(String message) {
    super(message);
  }
}
