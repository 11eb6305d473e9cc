package dev.berth.kinds.admissionregistration;

import static dev.berth.kinds.admissionregistration.PolicySpecRules.SPEC;

import dev.berth.kinds.resource.ConditionValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Policies that refuse requests by expressions. */
final class ValidatingPolicyRules implements ResourceRules {
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
  private static final int MOST_ANNOTATIONS = 20;
  private static final int LONGEST_VALUE_EXPRESSION = 5 * 1024;

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return ResourceRules.statusAlone(object, old);
  }

  @Override
  public JsonObject defaults(JsonObject policy) {
    return PolicySpecRules.defaults(policy);
  }

  @Override
  public List<FieldError> validate(JsonObject policy) {
    FieldErrorList errors = new FieldErrorList();
    JsonObject spec = policy.object("spec");
    PolicySpecRules.check(spec, errors);
    PolicySpecRules.checkConditions(spec, errors);
    List<JsonObject> variables = spec.array("variables").objects();
    PolicyExpressions expressions =
        PolicyExpressions.ofValidations(spec.has("paramKind"), !variables.isEmpty());
    PolicySpecRules.checkVariables(variables, expressions, errors);
    List<JsonObject> validations = spec.array("validations").objects();
    List<JsonObject> annotations = spec.array("auditAnnotations").objects();
    if (validations.isEmpty() && annotations.isEmpty()) {
      String detail = "validations or auditAnnotations must contain at least one item";
      errors.required(SPEC.field("validations"), detail);
      errors.required(SPEC.field("auditAnnotations"), detail);
    }
    for (int i = 0; i < validations.size(); i++) {
      checkValidation(validations.get(i), SPEC.field("validations").index(i), expressions, errors);
    }
    checkAnnotations(policy, annotations, expressions, errors);
    return errors.all();
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject policy, JsonObject old) {
    FieldErrorList errors = new FieldErrorList();
    JsonObject status = policy.object("status");
    FieldPath path = FieldPath.of("status", "typeChecking", "expressionWarnings");
    List<JsonObject> warnings = status.object("typeChecking").array("expressionWarnings").objects();
    for (int i = 0; i < warnings.size(); i++) {
      errors.present(warnings.get(i), "warning", path.index(i));
      if (warnings.get(i).text("fieldRef", "").isBlank()) {
        errors.required(path.index(i).field("fieldRef"), "");
      }
    }
    ConditionValidation.validate(
        status.array("conditions").objects(), FieldPath.of("status", "conditions"), errors);
    return errors.all();
  }

  private static void checkValidation(
      JsonObject validation, FieldPath at, PolicyExpressions expressions, FieldErrorList errors) {
    String expression = validation.text("expression", "");
    if (expression.isBlank()) {
      errors.required(at.field("expression"), "expression is not specified");
    } else {
      PolicySpecRules.checkCompiles(
          expressions.condition(expression), expression, at.field("expression"), errors);
    }
    String messageExpression = validation.text("messageExpression", "");
    if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
      errors.invalid(
          at.field("messageExpression"), messageExpression, "must be non-empty if specified");
    } else if (!messageExpression.isEmpty()) {
      PolicySpecRules.checkCompiles(
          expressions.message(messageExpression),
          messageExpression,
          at.field("messageExpression"),
          errors);
    }
    String message = validation.text("message", "");
    if (!message.isEmpty() && message.isBlank()) {
      errors.invalid(at.field("message"), message, "must be non-empty if specified");
    } else if (message.strip().indexOf('\n') >= 0 || message.strip().indexOf('\r') >= 0) {
      errors.invalid(at.field("message"), message, "must not contain line breaks");
    }
    if (validation.has("reason")) {
      errors.oneOf(at.field("reason"), validation.text("reason", ""), REASONS);
    }
  }

  private static void checkAnnotations(
      JsonObject policy,
      List<JsonObject> annotations,
      PolicyExpressions expressions,
      FieldErrorList errors) {
    FieldPath path = SPEC.field("auditAnnotations");
    if (annotations.size() > MOST_ANNOTATIONS) {
      errors.invalid(
          path,
          policy.object("spec").array("auditAnnotations"),
          "must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
    }
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < annotations.size(); i++) {
      FieldPath at = path.index(i);
      String key = annotations.get(i).text("key", "");
      String name = Metadata.of(policy).name();
      if (name.isEmpty()) {
        errors.invalid(at.field("key"), key, "requires metadata.name be non-empty");
      } else {
        String qualified = name + "/" + key;
        errors.invalid(at.field("key"), qualified, NameRules.qualifiedName(qualified));
      }
      checkValue(annotations.get(i), at.field("valueExpression"), expressions, errors);
      if (!keys.add(key)) {
        errors.duplicate(at.field("key"), key);
      }
    }
  }

  private static void checkValue(
      JsonObject annotation, FieldPath at, PolicyExpressions expressions, FieldErrorList errors) {
    String expression = annotation.text("valueExpression", "").strip();
    if (expression.isEmpty()) {
      errors.required(at, "valueExpression is not specified");
    } else if (expression.getBytes(StandardCharsets.UTF_8).length > LONGEST_VALUE_EXPRESSION) {
      errors.required(at, "must not exceed " + LONGEST_VALUE_EXPRESSION + " bytes in length");
    } else {
      PolicySpecRules.checkCompiles(expressions.annotation(expression), expression, at, errors);
    }
  }
}
