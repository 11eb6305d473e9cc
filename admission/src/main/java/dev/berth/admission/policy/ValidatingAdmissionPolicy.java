package dev.berth.admission.policy;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.match.RequestFacts;
import dev.berth.admission.match.RequestVariables;
import dev.berth.admission.policy.PolicyEvaluation.OutOfBudgetException;
import dev.berth.admission.policy.PolicyEvaluation.Outcome;
import dev.berth.admission.policy.PolicyMetrics.ErrorType;
import dev.berth.admission.policy.PolicyRequests.Invocation;
import dev.berth.admission.policy.ValidatingPolicy.Annotation;
import dev.berth.admission.policy.ValidatingPolicy.Validation;
import dev.berth.cel.value.Values;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Refuses requests by the rules of ValidatingAdmissionPolicies.
 *
 * <ol>
 *   <li>Each policy is evaluated for each of its bindings that the request matches, and for each of
 *       the parameters that the binding names.
 *   <li>A rule that does not hold, or that cannot be evaluated unless the policy ignores that,
 *       leads to the actions of the binding: a refusal, a warning, a note in the audit log.
 *   <li>All policies are evaluated; the first refusal is what the client hears.
 * </ol>
 */
public final class ValidatingAdmissionPolicy implements AdmissionPlugin {
  private static final int LONGEST_MESSAGE = 5 * 1024;
  private static final int LONGEST_ANNOTATION = 10 * 1024;
  private static final String FAILURE = "validation.policy.admission.k8s.io/validation_failure";

  private final PolicyIndex<ValidatingPolicy> policies;
  private final PolicyRequests requests;
  private final PolicyMetrics metrics;

  public ValidatingAdmissionPolicy(
      Registry registry, NamespaceLabels namespaces, Authorizers authorizers, Metrics metrics) {
    this.metrics = PolicyMetrics.validating(metrics, registry.time()::monotonicNow);
    this.policies = new PolicyIndex<>(registry, "validating", ValidatingPolicy::compile);
    this.requests = new PolicyRequests(registry, namespaces, authorizers);
  }

  @Override
  public void intercept(AdmissionRequest request) {
    if (request.operation() == Operation.CONNECT) {
      validate(request);
    }
  }

  @Override
  public void validate(AdmissionRequest request) {
    List<Refusal> refusals = new ArrayList<>();
    Map<String, List<String>> annotations = new LinkedHashMap<>();
    RequestFacts facts = requests.facts(request);
    for (Invocation<ValidatingPolicy> invocation :
        requests.invocations(request, policies.policies())) {
      if (invocation.problem().isEmpty()) {
        evaluate(request, facts, invocation, refusals, annotations);
      } else if (!invocation.policy().head().failsOpen()) {
        refusals.add(
            new Refusal(
                invocation.policy().head().name(),
                invocation.binding().map(PolicyBinding::name).orElse(""),
                invocation.problem(),
                "Invalid"));
      }
    }
    annotations.forEach(
        (key, values) -> request.notices().annotate(key, String.join(", ", values)));
    if (!refusals.isEmpty()) {
      throw refusals.getFirst().toStatus(request);
    }
  }

  /** Why a request is refused. */
  private record Refusal(String policy, String binding, String message, String reason) {
    StatusException toStatus(AdmissionRequest request) {
      return PolicyRefusal.of(
          request,
          "ValidatingAdmissionPolicy '"
              + policy
              + (binding.isEmpty() ? "'" : "' with binding '" + binding + "'")
              + " denied request: "
              + message,
          reason);
    }
  }

  private void evaluate(
      AdmissionRequest request,
      RequestFacts facts,
      Invocation<ValidatingPolicy> invocation,
      List<Refusal> refusals,
      Map<String, List<String>> annotations) {
    ValidatingPolicy policy = invocation.policy();
    PolicyBinding binding = invocation.binding().orElseThrow();
    RequestVariables variables =
        new RequestVariables(invocation.request().orElseThrow(), facts, invocation.params());
    Actions actions = new Actions(request, policy, binding, refusals, metrics, metrics.begin());
    switch (PolicyRequests.conditions(policy.head(), variables)) {
      case MatchConditions.Result.Mismatch _ -> {
        return;
      }
      case MatchConditions.Result.Failed failed -> {
        actions.error(0, failed.message(), ErrorType.INVALID_ERROR);
        return;
      }
      case MatchConditions.Result.Matches _ -> {}
    }
    PolicyEvaluation evaluation = new PolicyEvaluation(policy.head().variables(), variables);
    try {
      for (int i = 0; i < policy.validations().size(); i++) {
        actions = actions.beginningAt(metrics.begin());
        validate(policy.validations().get(i), i, evaluation, actions);
      }
      for (Annotation annotation : policy.annotations()) {
        actions = actions.beginningAt(metrics.begin());
        annotate(annotation, evaluation, actions, annotations);
      }
    } catch (OutOfBudgetException e) {
      actions.error(0, OutOfBudgetException.REASON, ErrorType.OUT_OF_BUDGET);
    }
  }

  private static void validate(
      Validation validation, int index, PolicyEvaluation evaluation, Actions actions) {
    Outcome outcome = evaluation.evaluate(validation.expression());
    if (outcome.failed()) {
      actions.error(index, outcome.error(), ErrorType.INVALID_ERROR);
    } else if (!Boolean.TRUE.equals(outcome.value())) {
      String message = message(validation, evaluation);
      actions.take(index, message, validation.reason(), ErrorType.NO_ERROR);
    }
  }

  private static String message(Validation validation, PolicyEvaluation evaluation) {
    if (validation.messageExpression() != null) {
      Outcome made = evaluation.evaluate(validation.messageExpression());
      if (made.value() instanceof String text) {
        String message = text.strip();
        boolean usable =
            !message.isEmpty()
                && message.indexOf('\n') < 0
                && message.getBytes(StandardCharsets.UTF_8).length <= LONGEST_MESSAGE;
        if (usable) {
          return message;
        }
      }
    }
    return validation.message().isEmpty()
        ? "failed expression: " + validation.expression().text().strip()
        : validation.message();
  }

  private static void annotate(
      Annotation annotation,
      PolicyEvaluation evaluation,
      Actions actions,
      Map<String, List<String>> annotations) {
    Outcome outcome = evaluation.evaluate(annotation.value());
    Object value = outcome.value();
    if (value == null) {
      actions.annotationError(outcome.error());
    } else if (value instanceof String text) {
      String shown = text.strip();
      if (!shown.isEmpty()) {
        List<String> values =
            annotations.computeIfAbsent(
                actions.policy.head().name() + "/" + annotation.key(), _ -> new ArrayList<>());
        String cut = shown.substring(0, Math.min(shown.length(), LONGEST_ANNOTATION));
        if (!values.contains(cut)) {
          values.add(cut);
        }
      }
    } else if (value != JsonNull.NULL) {
      actions.refuse(
          "valueExpression '"
              + annotation.value().text()
              + "' resulted in unsupported return type: "
              + Values.typeName(value)
              + ". Return type must be either string or null.",
          "Invalid");
    }
  }

  /** What a binding does about rules that do not hold. */
  private record Actions(
      AdmissionRequest request,
      ValidatingPolicy policy,
      PolicyBinding binding,
      List<Refusal> refusals,
      PolicyMetrics metrics,
      Instant began) {

    Actions beginningAt(Instant now) {
      return new Actions(request, policy, binding, refusals, metrics, now);
    }

    void error(int index, String message, ErrorType error) {
      if (policy.head().failsOpen()) {
        observe(error, "allow");
      } else {
        take(index, message, "Invalid", error);
      }
    }

    private void observe(ErrorType error, String action) {
      metrics.observe(policy.head().name(), binding.name(), error, action, began);
    }

    void annotationError(String message) {
      if (!policy.head().failsOpen()) {
        refuse(message, "Invalid");
      }
    }

    void refuse(String message, String reason) {
      observe(ErrorType.INVALID_ERROR, "deny");
      deny(message, reason);
    }

    private void deny(String message, String reason) {
      refusals.add(new Refusal(policy.head().name(), binding.name(), message, reason));
    }

    void take(int index, String message, String reason, ErrorType error) {
      for (String action : binding.actions()) {
        observe(error, action.toLowerCase(Locale.ROOT));
        switch (action) {
          case "Deny" -> deny(message, reason);
          case "Warn" ->
              request
                  .notices()
                  .warn(
                      "Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s"
                          .formatted(policy.head().name(), binding.name(), message));
          case "Audit" -> request.notices().annotate(FAILURE, failure(index, message));
          default -> {}
        }
      }
    }

    private String failure(int index, String message) {
      return JsonArray.of(
              new JsonObject.Builder()
                  .put("message", message)
                  .put("policy", policy.head().name())
                  .put("binding", binding.name())
                  .put("expressionIndex", (long) index)
                  .put("validationActions", JsonArray.copyOf(binding.actions()))
                  .build())
          .toString();
    }
  }
}
