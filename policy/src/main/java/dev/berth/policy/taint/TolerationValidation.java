package dev.berth.policy.taint;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with a pod's tolerations. Not allowed are:
 *
 * <ul>
 *   <li>a key that is no qualified name;
 *   <li>no key with any operator but {@code Exists};
 *   <li>{@code tolerationSeconds} with any effect but NoExecute;
 *   <li>a value with {@code Exists}, or one that is no label value with {@code Equal};
 *   <li>unknown operators and effects;
 *   <li>{@code Gt} and {@code Lt} while their gate is off, and with it on, any value for them that
 *       is no plain integer of 64 bits.
 * </ul>
 *
 * <p>It reads what was written and not {@link dev.berth.model.core.Toleration}s, which do not tell
 * unknown words apart.
 *
 * <p>Fields and messages are upstream's, who reports a bad value at the operator.
 */
public final class TolerationValidation {
  private static final List<String> OPERATORS = List.of("Equal", "Exists");
  private static final List<String> OPERATORS_WITH_GATE = List.of("Equal", "Exists", "Lt", "Gt");

  private final TolerationRules rules;
  private final List<FieldError> errors = new ArrayList<>();

  private TolerationValidation(TolerationRules rules) {
    this.rules = rules;
  }

  /**
   * The errors, in the order of the tolerations; none if all is well.
   *
   * @param path where the tolerations stand
   * @param rules whether the comparison operators are allowed
   */
  public static List<FieldError> validate(
      JsonArray tolerations, FieldPath path, TolerationRules rules) {
    TolerationValidation validation = new TolerationValidation(rules);
    List<JsonObject> objects = tolerations.objects();
    for (int i = 0; i < objects.size(); i++) {
      validation.check(objects.get(i), path.index(i));
    }
    return List.copyOf(validation.errors);
  }

  /**
   * The rules for the tolerations of an object that exists: what it uses already it may go on
   * using, so that turning the gate off leaves no object that cannot be changed.
   */
  public static TolerationRules keeping(JsonArray before, TolerationRules rules) {
    boolean compares =
        before.objects().stream()
            .map(toleration -> toleration.text("operator", ""))
            .anyMatch(operator -> operator.equals("Gt") || operator.equals("Lt"));
    return compares ? TolerationRules.WITH_COMPARISONS : rules;
  }

  private void check(JsonObject toleration, FieldPath path) {
    String key = toleration.text("key", "");
    String operator = toleration.text("operator", "");
    String effect = toleration.text("effect", "");
    if (!key.isEmpty()) {
      NameRules.qualifiedName(key).forEach(problem -> invalid(path.field("key"), key, problem));
    }
    if (key.isEmpty() && !operator.equals("Exists")) {
      invalid(
          path.field("operator"),
          operator,
          "operator must be Exists when `key` is empty, which means"
              + " \"match all values and all keys\"");
    }
    if (toleration.integer("tolerationSeconds").isPresent()
        && !effect.equals(TaintEffect.NO_EXECUTE.text())) {
      invalid(
          path.field("effect"),
          effect,
          "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    checkOperator(operator, toleration.text("value", ""), path);
    if (!effect.isEmpty()) {
      errors.addAll(TaintValidation.effect(effect, path.field("effect")));
    }
  }

  private void checkOperator(String operator, String value, FieldPath path) {
    FieldPath at = path.field("operator");
    switch (operator) {
      case "", "Equal" -> {
        List<String> problems = NameRules.labelValue(value);
        if (!problems.isEmpty()) {
          invalid(at, value, String.join(";", problems));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          invalid(at, value, "value must be empty when `operator` is 'Exists'");
        }
      }
      case "Gt", "Lt" -> {
        if (!rules.comparisonOperators()) {
          // Kubernetes names them here although they are not supported.
          errors.add(FieldError.notSupported(at.toString(), operator, OPERATORS_WITH_GATE));
        } else if (TolerationRules.integer(value).isEmpty()) {
          invalid(path.field("value"), value, "must be a valid decimal integer in canonical form");
        }
      }
      default ->
          errors.add(
              FieldError.notSupported(
                  at.toString(),
                  operator,
                  rules.comparisonOperators() ? OPERATORS_WITH_GATE : OPERATORS));
    }
  }

  private void invalid(FieldPath path, String value, String detail) {
    errors.add(FieldError.invalid(path.toString(), value, detail));
  }
}
