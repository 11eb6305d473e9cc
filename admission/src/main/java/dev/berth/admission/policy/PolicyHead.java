package dev.berth.admission.policy;

import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.RequestMatch;
import dev.berth.admission.policy.PolicyEvaluation.Expression;
import dev.berth.kinds.admissionregistration.PolicyExpressions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What policies of both kinds begin with.
 *
 * @param failsOpen whether a request passes if the policy cannot be evaluated
 * @param paramKind the kind of its parameters; empty if it has none
 * @param variables in their order
 */
record PolicyHead(
    String name,
    RequestMatch match,
    boolean failsOpen,
    JsonObject paramKind,
    MatchConditions conditions,
    Map<String, Expression> variables) {

  /** Reads it, and leaves the variables known to who compiles the rest. */
  static PolicyHead read(JsonObject policy, PolicyExpressions expressions) {
    JsonObject spec = policy.object("spec");
    Map<String, Expression> variables = new LinkedHashMap<>();
    for (JsonObject variable : spec.array("variables").objects()) {
      String name = variable.text("name", "");
      String text = variable.text("expression", "");
      variables.put(name, new Expression(text, expressions.variable(name, text)));
    }
    return new PolicyHead(
        Metadata.of(policy).name(),
        RequestMatch.read(spec.object("matchConstraints")),
        spec.text("failurePolicy", "Fail").equals("Ignore"),
        spec.object("paramKind"),
        MatchConditions.compile(spec.array("matchConditions"), spec.has("paramKind")),
        variables);
  }
}
