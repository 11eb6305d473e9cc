package dev.berth.model.selector;

/**
 * How a requirement relates a label to values. {@code =}, {@code ==} and {@code in} with one value
 * mean the same, but are told apart so that a selector is written as it was read.
 */
public enum LabelOperator {
  IN(" in "),
  NOT_IN(" notin "),
  EQUALS("="),
  DOUBLE_EQUALS("=="),
  NOT_EQUALS("!="),
  GREATER_THAN(">"),
  LESS_THAN("<"),
  EXISTS(""),
  DOES_NOT_EXIST("");

  private final String text;

  LabelOperator(String text) {
    this.text = text;
  }

  /** What stands between the key and the values. */
  String text() {
    return text;
  }
}
