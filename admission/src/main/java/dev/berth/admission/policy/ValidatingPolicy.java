package dev.berth.admission.policy;

import dev.berth.admission.policy.PolicyEvaluation.Expression;
import dev.berth.kinds.admissionregistration.PolicyExpressions;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ValidatingAdmissionPolicy, compiled. */
record ValidatingPolicy(PolicyHead head, List<Validation> validations, List<Annotation> annotations)
    implements CompiledPolicy {

  /**
   * A rule.
   *
   * @param message what is said if it does not hold; empty if nothing was written
   * @param messageExpression the same, made by an expression
   */
  record Validation(
      Expression expression,
      String message,
      @Nullable Expression messageExpression,
      String reason) {}

  /** What is written into the audit log. */
  record Annotation(String key, Expression value) {}

  static ValidatingPolicy compile(JsonObject policy) {
    JsonObject spec = policy.object("spec");
    PolicyExpressions expressions =
        PolicyExpressions.ofValidations(spec.has("paramKind"), !spec.array("variables").isEmpty());
    PolicyHead head = PolicyHead.read(policy, expressions);
    return new ValidatingPolicy(
        head,
        spec.array("validations").objects().stream()
            .map(validation -> validation(validation, expressions))
            .toList(),
        spec.array("auditAnnotations").objects().stream()
            .map(annotation -> {
              String text = annotation.text("valueExpression", "").strip();
              return new Annotation(
                  annotation.text("key", ""), new Expression(text, expressions.annotation(text)));
            })
            .toList());
  }

  private static Validation validation(JsonObject validation, PolicyExpressions expressions) {
    String text = validation.text("expression", "");
    String message = validation.text("messageExpression", "");
    return new Validation(
        new Expression(text, expressions.condition(text)),
        validation.text("message", "").strip(),
        message.isBlank() ? null : new Expression(message, expressions.message(message)),
        validation.text("reason", "Invalid"));
  }
}
