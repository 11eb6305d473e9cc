package dev.berth.kinds.admissionregistration;

import static dev.berth.kinds.admissionregistration.PolicySpecRules.SPEC;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Policies that change objects by expressions. */
final class MutatingPolicyRules implements ResourceRules {
  static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "UPDATE");
  private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");
  private static final List<String> PATCH_TYPES = List.of("ApplyConfiguration", "JSONPatch");

  @Override
  public JsonObject defaults(JsonObject policy) {
    return PolicySpecRules.defaults(policy);
  }

  @Override
  public List<FieldError> validate(JsonObject policy) {
    FieldErrorList errors = new FieldErrorList();
    JsonObject spec = policy.object("spec");
    PolicySpecRules.check(spec, errors);
    checkOperations(spec.object("matchConstraints"), SPEC.field("matchConstraints"), errors);
    PolicySpecRules.checkConditions(spec, errors);
    PolicyExpressions expressions = PolicyExpressions.ofMutations(spec.has("paramKind"));
    PolicySpecRules.checkVariables(spec.array("variables").objects(), expressions, errors);
    List<JsonObject> mutations = spec.array("mutations").objects();
    if (mutations.isEmpty()) {
      errors.required(SPEC.field("mutations"), "mutations must contain at least one item");
    }
    for (int i = 0; i < mutations.size(); i++) {
      checkMutation(mutations.get(i), SPEC.field("mutations").index(i), expressions, errors);
    }
    if (spec.text("reinvocationPolicy", "").isEmpty()) {
      errors.required(SPEC.field("reinvocationPolicy"), "");
    } else {
      errors.oneOf(
          SPEC.field("reinvocationPolicy"), spec.text("reinvocationPolicy", ""), REINVOCATIONS);
    }
    return errors.all();
  }

  static void checkOperations(JsonObject match, FieldPath at, FieldErrorList errors) {
    for (JsonObject rule : match.array("resourceRules").objects()) {
      for (String operation : rule.array("operations").texts()) {
        errors.oneOf(at.field("resourceRules").field("operations"), operation, OPERATIONS);
      }
    }
  }

  private static void checkMutation(
      JsonObject mutation, FieldPath at, PolicyExpressions expressions, FieldErrorList errors) {
    String type = mutation.text("patchType", "");
    switch (type) {
      case "" -> errors.required(at.field("patchType"), "");
      case "JSONPatch" -> {
        checkExpression(mutation, at, "jsonPatch", type, expressions, errors);
        checkAbsent(mutation, at, "applyConfiguration", type, errors);
      }
      case "ApplyConfiguration" -> {
        checkExpression(mutation, at, "applyConfiguration", type, expressions, errors);
        checkAbsent(mutation, at, "jsonPatch", type, errors);
      }
      default -> errors.oneOf(at.field("patchType"), type, PATCH_TYPES);
    }
  }

  private static void checkAbsent(
      JsonObject mutation, FieldPath at, String field, String type, FieldErrorList errors) {
    if (mutation.has(field)) {
      errors.invalid(
          at.field(field), "{" + field + "}", "must not be specified when patchType is " + type);
    }
  }

  private static void checkExpression(
      JsonObject mutation,
      FieldPath at,
      String field,
      String type,
      PolicyExpressions expressions,
      FieldErrorList errors) {
    if (!mutation.has(field)) {
      errors.required(at.field(field), "must be specified when patchType is " + type);
      return;
    }
    FieldPath where = at.field(field).field("expression");
    String expression = mutation.object(field).text("expression", "").strip();
    if (expression.isEmpty()) {
      errors.required(where, "");
      return;
    }
    PolicySpecRules.checkCompiles(
        field.equals("jsonPatch")
            ? expressions.jsonPatch(expression)
            : expressions.applyConfiguration(expression),
        expression,
        where,
        errors);
  }
}
