package dev.berth.model.selector;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The object form of a label selector: {@code matchLabels} and {@code matchExpressions}. */
public final class LabelSelectorForm {
  private LabelSelectorForm() {}

  /**
   * What is wrong with a selector.
   *
   * @param field where it stands, such as {@code spec.selector}
   */
  public static List<FieldError> validate(JsonObject selector, String field) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject labels = selector.object("matchLabels");
    for (String key : labels.names()) {
      String value = labels.text(key, "");
      String place = field + ".matchLabels";
      NameRules.qualifiedName(key).forEach(p -> errors.add(FieldError.invalid(place, key, p)));
      NameRules.labelValue(value).forEach(p -> errors.add(FieldError.invalid(place, value, p)));
    }
    List<JsonObject> expressions = selector.array("matchExpressions").objects();
    for (int i = 0; i < expressions.size(); i++) {
      validate(expressions.get(i), field + ".matchExpressions[" + i + "]", errors);
    }
    return List.copyOf(errors);
  }

  private static void validate(JsonObject expression, String field, List<FieldError> errors) {
    String name = expression.text("operator", "");
    List<String> values = expression.array("values").texts();
    switch (operator(name)) {
      case null ->
          errors.add(
              FieldError.invalid(field + ".operator", name, "not a valid selector operator"));
      case IN, NOT_IN -> {
        if (values.isEmpty()) {
          errors.add(
              FieldError.required(
                  field + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      default -> {
        if (!values.isEmpty()) {
          errors.add(
              FieldError.forbidden(
                  field + ".values",
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
    }
    String key = expression.text("key", "");
    NameRules.qualifiedName(key)
        .forEach(p -> errors.add(FieldError.invalid(field + ".key", key, p)));
    for (int i = 0; i < values.size(); i++) {
      String place = field + ".values[" + i + "]";
      String value = values.get(i);
      NameRules.labelValue(value).forEach(p -> errors.add(FieldError.invalid(place, value, p)));
    }
  }

  static LabelSelector read(JsonObject selector) {
    List<LabelRequirement> requirements = new ArrayList<>();
    JsonObject labels = selector.object("matchLabels");
    for (String key : labels.names()) {
      List<String> value = List.of(labels.text(key, ""));
      requirements.add(LabelRequirement.checked(key, LabelOperator.EQUALS, value));
    }
    for (JsonObject expression : selector.array("matchExpressions").objects()) {
      String name = expression.text("operator", "");
      LabelOperator operator = operator(name);
      if (operator == null) {
        throw new SelectorException("\"" + name + "\" is not a valid label selector operator");
      }
      List<String> values = expression.array("values").texts();
      requirements.add(LabelRequirement.checked(expression.text("key", ""), operator, values));
    }
    return LabelSelector.of(requirements);
  }

  private static @Nullable LabelOperator operator(String name) {
    return switch (name) {
      case "In" -> LabelOperator.IN;
      case "NotIn" -> LabelOperator.NOT_IN;
      case "Exists" -> LabelOperator.EXISTS;
      case "DoesNotExist" -> LabelOperator.DOES_NOT_EXIST;
      default -> null;
    };
  }
}
