package dev.berth.admission.policy;

import dev.berth.admission.policy.PolicyEvaluation.Expression;
import dev.berth.kinds.admissionregistration.PolicyExpressions;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A MutatingAdmissionPolicy, compiled.
 *
 * @param isReinvoked whether it is asked again when somebody changed an object after it
 */
record MutatingPolicy(PolicyHead head, List<Mutation> mutations, boolean isReinvoked)
    implements CompiledPolicy {

  /** A change: an apply configuration, or else a JSON patch. */
  record Mutation(boolean applies, Expression expression) {}

  static MutatingPolicy compile(JsonObject policy) {
    JsonObject spec = policy.object("spec");
    PolicyExpressions expressions = PolicyExpressions.ofMutations(spec.has("paramKind"));
    PolicyHead head = PolicyHead.read(policy, expressions);
    return new MutatingPolicy(
        head,
        spec.array("mutations").objects().stream()
            .map(mutation -> mutation(mutation, expressions))
            .toList(),
        spec.text("reinvocationPolicy", "Never").equals("IfNeeded"));
  }

  private static Mutation mutation(JsonObject mutation, PolicyExpressions expressions) {
    boolean applies = mutation.text("patchType", "").equals("ApplyConfiguration");
    String text =
        mutation
            .object(applies ? "applyConfiguration" : "jsonPatch")
            .text("expression", "")
            .strip();
    return new Mutation(
        applies,
        new Expression(
            text, applies ? expressions.applyConfiguration(text) : expressions.jsonPatch(text)));
  }
}
