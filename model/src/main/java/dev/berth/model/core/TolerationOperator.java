package dev.berth.model.core;

/** How a toleration's value is compared with a taint's. */
public enum TolerationOperator {
  /** The values are equal. */
  EQUAL("Equal"),
  /** Any value will do. */
  EXISTS("Exists"),
  /** Both values are integers and the taint's is greater. */
  GT("Gt"),
  /** Both values are integers and the taint's is less. */
  LT("Lt"),
  /** A word this version does not know: it matches nothing. */
  UNKNOWN("");

  private final String text;

  TolerationOperator(String text) {
    this.text = text;
  }

  /** The operator of a word; no word means {@link #EQUAL}. */
  public static TolerationOperator of(String text) {
    return switch (text) {
      case "", "Equal" -> EQUAL;
      case "Exists" -> EXISTS;
      case "Gt" -> GT;
      case "Lt" -> LT;
      default -> UNKNOWN;
    };
  }

  /** The word on the wire; empty for {@link #UNKNOWN}. */
  public String text() {
    return text;
  }
}
