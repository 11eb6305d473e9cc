package dev.berth.admission.policy;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.MatchedRequest;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.match.RequestFacts;
import dev.berth.admission.match.RequestVariables;
import dev.berth.admission.match.Rounds;
import dev.berth.admission.policy.MutatingPolicy.Mutation;
import dev.berth.admission.policy.PolicyEvaluation.OutOfBudgetException;
import dev.berth.admission.policy.PolicyEvaluation.Outcome;
import dev.berth.admission.policy.PolicyMetrics.ErrorType;
import dev.berth.admission.policy.PolicyRequests.Invocation;
import dev.berth.cel.value.CelException;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.Resource;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects by the expressions of MutatingAdmissionPolicies, one after the other by their
 * names.
 *
 * <ol>
 *   <li>Each sees what those before it have made of the object; what they leave out gets its
 *       defaults.
 *   <li>When one has changed something, all plugins are asked once more. In this second round a
 *       policy is asked again only if it wants to be, was asked before, and the object has changed
 *       since.
 *   <li>A policy that cannot be evaluated refuses the request, unless it ignores failures.
 * </ol>
 */
public final class MutatingAdmissionPolicy implements AdmissionPlugin {
  private final PolicyIndex<MutatingPolicy> policies;
  private final PolicyRequests requests;
  private final PolicyMetrics metrics;

  /** Made when there is something to change. */
  private volatile @Nullable ObjectChange change;

  public MutatingAdmissionPolicy(
      Registry registry, NamespaceLabels namespaces, Authorizers authorizers, Metrics metrics) {
    this.metrics = PolicyMetrics.mutating(metrics, registry.time()::monotonicNow);
    this.policies = new PolicyIndex<>(registry, "mutating", MutatingPolicy::compile);
    this.requests = new PolicyRequests(registry, namespaces, authorizers);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    List<Invocation<MutatingPolicy>> invocations =
        requests.invocations(request, policies.policies());
    boolean changes =
        request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE;
    if (invocations.isEmpty() || !changes || request.object().isEmpty()) {
      return request.object();
    }
    Rounds rounds = Rounds.begin(request, this);
    List<String> errors = new ArrayList<>();
    RequestFacts facts = requests.facts(request);
    AdmissionRequest current = request;
    for (Invocation<MutatingPolicy> invocation : invocations) {
      String key = key(invocation);
      if (!rounds.includes(request, key)) {
        continue;
      }
      JsonObject changed = mutate(current, facts, invocation, errors);
      rounds.asked(
          request, key, !changed.equals(current.object()), invocation.policy().isReinvoked());
      current = current.with(changed);
    }
    rounds.end(current.object());
    if (!errors.isEmpty()) {
      throw PolicyRefusal.of(request, errors, "Invalid");
    }
    return current.object();
  }

  private static String key(Invocation<MutatingPolicy> invocation) {
    Metadata params = Metadata.of(invocation.params());
    return String.join(
        "/",
        invocation.policy().head().name(),
        invocation.binding().map(PolicyBinding::name).orElse(""),
        params.namespace(),
        params.name());
  }

  private JsonObject mutate(
      AdmissionRequest request,
      RequestFacts facts,
      Invocation<MutatingPolicy> invocation,
      List<String> errors) {
    if (invocation.request().isEmpty()) {
      refuse(invocation, invocation.problem(), errors);
      return request.object();
    }
    Resource resource = invocation.request().get().resource();
    MatchedRequest matched = new MatchedRequest(request, resource);
    RequestVariables variables = new RequestVariables(matched, facts, invocation.params());
    switch (PolicyRequests.conditions(invocation.policy().head(), variables)) {
      case MatchConditions.Result.Mismatch _ -> {
        return request.object();
      }
      case MatchConditions.Result.Failed failed -> {
        refuse(invocation, failed.message(), errors);
        return request.object();
      }
      case MatchConditions.Result.Matches _ -> {}
    }
    AdmissionRequest current = request;
    for (Mutation mutation : invocation.policy().mutations()) {
      MatchedRequest shown = new MatchedRequest(current, resource);
      Instant began = metrics.begin();
      ErrorType error = ErrorType.NO_ERROR;
      try {
        current = current.with(changed(mutation, shown, facts, invocation));
      } catch (CelException e) {
        error = ErrorType.INVALID_ERROR;
        refuse(invocation, e.reason(), errors);
      } catch (OutOfBudgetException e) {
        error = ErrorType.OUT_OF_BUDGET;
        refuse(invocation, OutOfBudgetException.REASON, errors);
      } catch (JsonException e) {
        error = ErrorType.INVALID_ERROR;
        refuse(invocation, String.valueOf(e.getMessage()), errors);
      }
      String binding = invocation.binding().map(PolicyBinding::name).orElse("");
      metrics.observe(invocation.policy().head().name(), binding, error, "", began);
    }
    return current.object();
  }

  private JsonObject changed(
      Mutation mutation,
      MatchedRequest shown,
      RequestFacts facts,
      Invocation<MutatingPolicy> invocation) {
    PolicyEvaluation evaluation =
        new PolicyEvaluation(
            invocation.policy().head().variables(),
            new RequestVariables(shown, facts, invocation.params()));
    Outcome outcome = evaluation.evaluate(mutation.expression());
    if (outcome.value() == null) {
      throw new CelException(outcome.error());
    }
    JsonObject before = shown.object();
    Resource resource = shown.resource();
    ObjectChange changes = change();
    JsonObject after =
        mutation.applies()
            ? changes.apply(before, outcome.value(), resource)
            : changes.patch(before, outcome.value());
    if (after.equals(before)) {
      return shown.request().object();
    }
    JsonObject shaped = Conforming.shape(after, before, resource).object();
    return shown.inRequestsForm(resource.rules().defaults(shaped));
  }

  private ObjectChange change() {
    ObjectChange known = change;
    if (known == null) {
      known = new ObjectChange();
      change = known;
    }
    return known;
  }

  private static void refuse(
      Invocation<MutatingPolicy> invocation, String message, List<String> errors) {
    if (!invocation.policy().head().failsOpen()) {
      String name = invocation.policy().head().name();
      errors.add(
          invocation
              .binding()
              .map(binding ->
                  "policy '"
                      + name
                      + "' with binding '"
                      + binding.name()
                      + "' denied request: "
                      + message)
              .orElse("policy \"" + name + "\" denied request: " + message));
    }
  }
}
