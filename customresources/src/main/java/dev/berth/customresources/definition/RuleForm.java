package dev.berth.customresources.definition;

import dev.berth.customresources.rules.SchemaPath;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Whether the rules of a schema are written as they must be, whatever they say. */
final class RuleForm {
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private RuleForm() {}

  static void validate(JsonObject schema, FieldPath at, FieldErrorList errors) {
    List<JsonObject> rules = StructuralSchema.of(schema).rules();
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), schema, at.field("x-kubernetes-validations").index(i), errors);
    }
  }

  private static void rule(
      JsonObject rule, JsonObject schema, FieldPath at, FieldErrorList errors) {
    String expression = rule.text("rule", "").strip();
    String given = rule.text("message", "");
    String message = given.strip();
    if (expression.isEmpty()) {
      errors.required(at.field("rule"), "rule is not specified");
    } else if (!given.isEmpty() && message.isEmpty()) {
      errors.invalid(at.field("message"), given, "must be non-empty if specified");
    } else if (hasLineBreak(message)) {
      errors.invalid(at.field("message"), given, "must not contain line breaks");
    } else if (hasLineBreak(expression) && message.isEmpty()) {
      errors.required(
          at.field("message"), "message must be specified if rule contains line breaks");
    }
    String messageExpression = rule.text("messageExpression", "");
    if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
      errors.required(
          at.field("messageExpression"), "messageExpression must be non-empty if specified");
    }
    String reason = rule.text("reason");
    if (reason != null) {
      errors.oneOf(at.field("reason"), reason, REASONS);
    }
    String path = rule.text("fieldPath", "");
    if (path.isEmpty()) {
      return;
    }
    if (path.isBlank()) {
      errors.invalid(at.field("fieldPath"), path, "must be non-empty if specified");
    }
    if (hasLineBreak(path)) {
      errors.invalid(at.field("fieldPath"), path, "must not contain line breaks");
    }
    if (SchemaPath.find(path, StructuralSchema.of(schema), true) instanceof SchemaPath.Wrong) {
      errors.invalid(at.field("fieldPath"), path, "must be a valid path");
    }
  }

  private static boolean hasLineBreak(String text) {
    return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
  }
}
