package dev.berth.model.selector;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One condition on one label.
 *
 * <ol>
 *   <li>{@code in} and the two equal signs want the label, with one of the values.
 *   <li>{@code notin} and {@code !=} want anything but the values; no label at all will do.
 *   <li>A bare key wants the label, with any value; {@code !} before it wants no such label.
 *   <li>{@code >} and {@code <} want a label that is an integer, and compare it.
 * </ol>
 */
public record LabelRequirement(String key, LabelOperator operator, List<String> values) {

  public LabelRequirement {
    values = List.copyOf(values);
  }

  /**
   * A requirement that follows the rules.
   *
   * @throws SelectorException naming every rule that is broken
   */
  static LabelRequirement checked(String key, LabelOperator operator, List<String> values) {
    List<FieldError> errors = new ArrayList<>();
    List<String> keyProblems = NameRules.qualifiedName(key);
    if (!keyProblems.isEmpty()) {
      errors.add(FieldError.invalid("key", key, String.join("; ", keyProblems)));
    }
    checkValues(operator, values, errors);
    for (int i = 0; i < values.size(); i++) {
      List<String> problems = NameRules.labelValue(values.get(i));
      if (!problems.isEmpty()) {
        String field = "values[" + i + "][" + key + "]";
        errors.add(FieldError.invalid(field, values.get(i), String.join("; ", problems)));
      }
    }
    if (!errors.isEmpty()) {
      throw new SelectorException(FieldError.join(errors));
    }
    return new LabelRequirement(key, operator, values);
  }

  private static void checkValues(
      LabelOperator operator, List<String> values, List<FieldError> errors) {
    String problem =
        switch (operator) {
          case IN, NOT_IN ->
              values.isEmpty() ? "for 'in', 'notin' operators, values set can't be empty" : "";
          case EQUALS, DOUBLE_EQUALS, NOT_EQUALS ->
              values.size() == 1 ? "" : "exact-match compatibility requires one single value";
          case EXISTS, DOES_NOT_EXIST ->
              values.isEmpty() ? "" : "values set must be empty for exists and does not exist";
          case GREATER_THAN, LESS_THAN ->
              values.size() == 1 ? "" : "for 'Gt', 'Lt' operators, exactly one value is required";
        };
    if (!problem.isEmpty()) {
      errors.add(FieldError.invalid("values", JsonArray.copyOf(values), problem));
    }
    if (operator == LabelOperator.GREATER_THAN || operator == LabelOperator.LESS_THAN) {
      for (int i = 0; i < values.size(); i++) {
        if (integer(values.get(i)).isEmpty()) {
          errors.add(
              FieldError.invalid(
                  "values[" + i + "]",
                  values.get(i),
                  "for 'Gt', 'Lt' operators, the value must be an integer"));
        }
      }
    }
  }

  boolean matches(Labels labels) {
    String value = labels.get(key);
    return switch (operator) {
      case IN, EQUALS, DOUBLE_EQUALS -> value != null && values.contains(value);
      case NOT_IN, NOT_EQUALS -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && compare(value) > 0;
      case LESS_THAN -> value != null && compare(value) < 0;
    };
  }

  /** How a label's value compares to the requirement's; equal if either is no integer. */
  private int compare(String value) {
    OptionalLong asked = values.isEmpty() ? OptionalLong.empty() : integer(values.getFirst());
    OptionalLong found = integer(value);
    return asked.isPresent() && found.isPresent()
        ? Long.compare(found.getAsLong(), asked.getAsLong())
        : 0;
  }

  private static OptionalLong integer(String text) {
    // Long.parseLong would take the digits of any script.
    boolean ascii = text.chars().allMatch(c -> c < 0x80);
    try {
      return ascii ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    } catch (NumberFormatException notAnInteger) {
      return OptionalLong.empty();
    }
  }

  /** The requirement in the API's string form, its values in order. */
  @Override
  public String toString() {
    return switch (operator) {
      case DOES_NOT_EXIST -> "!" + key;
      case EXISTS -> key;
      case IN, NOT_IN ->
          key + operator.text() + "(" + String.join(",", values.stream().sorted().toList()) + ")";
      default -> key + operator.text() + String.join(",", values);
    };
  }
}
