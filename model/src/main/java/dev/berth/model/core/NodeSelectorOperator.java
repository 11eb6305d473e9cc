package dev.berth.model.core;

/** How a node selector's values are held against a node's. */
public enum NodeSelectorOperator {
  IN,
  NOT_IN,
  EXISTS,
  DOES_NOT_EXIST,
  GT,
  LT,
  /** A word this version does not know: a term with it matches no node. */
  UNKNOWN;

  public static NodeSelectorOperator of(String text) {
    return switch (text) {
      case "In" -> IN;
      case "NotIn" -> NOT_IN;
      case "Exists" -> EXISTS;
      case "DoesNotExist" -> DOES_NOT_EXIST;
      case "Gt" -> GT;
      case "Lt" -> LT;
      default -> UNKNOWN;
    };
  }
}
