package dev.berth.model.selector;

/** A selector that cannot be understood. The message is Kubernetes' own where it has one. */
public final class SelectorException extends IllegalArgumentException {
  public SelectorException(String message) {
    super(message);
  }
}
