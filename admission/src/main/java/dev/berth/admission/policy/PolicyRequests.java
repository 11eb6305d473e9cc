package dev.berth.admission.policy;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.MatchedRequest;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.match.RequestFacts;
import dev.berth.admission.match.RequestMatch;
import dev.berth.admission.match.RequestVariables;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out which policies are about a request, and with which parameters. */
final class PolicyRequests {
  private final Registry registry;
  private final NamespaceLabels namespaces;
  private final Authorizers authorizers;
  private final PolicyParams params;

  PolicyRequests(Registry registry, NamespaceLabels namespaces, Authorizers authorizers) {
    this.registry = registry;
    this.namespaces = namespaces;
    this.authorizers = authorizers;
    this.params = new PolicyParams(registry);
  }

  /**
   * A policy that a request has to pass.
   *
   * @param problem why it cannot be evaluated; empty if it can
   */
  record Invocation<P>(
      P policy,
      Optional<PolicyBinding> binding,
      Optional<MatchedRequest> request,
      JsonObject params,
      String problem) {

    private static <P> Invocation<P> broken(
        P policy, Optional<PolicyBinding> binding, String problem) {
      return new Invocation<>(policy, binding, Optional.empty(), JsonObject.EMPTY, problem);
    }
  }

  /** The invocations of policies, in their order; none about policies and webhooks themselves. */
  <P extends CompiledPolicy> List<Invocation<P>> invocations(
      AdmissionRequest request, List<PolicyIndex.Bound<P>> policies) {
    if (policies.isEmpty() || RequestMatch.isExempt(request)) {
      return List.of();
    }
    List<Invocation<P>> invocations = new ArrayList<>();
    for (PolicyIndex.Bound<P> bound : policies) {
      P policy = bound.policy();
      Optional<MatchedRequest> matched;
      try {
        matched = policy.head().match().match(request, registry.catalog(), namespaces);
      } catch (StatusException e) {
        invocations.add(
            Invocation.broken(
                policy, Optional.empty(), "failed to configure policy: " + e.status().message()));
        continue;
      }
      if (matched.isPresent()) {
        bound
            .bindings()
            .forEach(binding -> addInvocations(policy, binding, matched.get(), invocations));
      }
    }
    return invocations;
  }

  private <P extends CompiledPolicy> void addInvocations(
      P policy, PolicyBinding binding, MatchedRequest matched, List<Invocation<P>> invocations) {
    try {
      AdmissionRequest request = matched.request();
      if (!binding.match().narrows(request, registry.catalog(), namespaces)) {
        return;
      }
      params
          .find(policy.head().paramKind(), binding.params(), request.name().namespace())
          .forEach(each ->
              invocations.add(
                  new Invocation<>(policy, Optional.of(binding), Optional.of(matched), each, "")));
    } catch (PolicyParams.ParamsException e) {
      invocations.add(
          Invocation.broken(
              policy, Optional.of(binding), "failed to configure binding: " + e.reason()));
    } catch (StatusException e) {
      invocations.add(
          Invocation.broken(
              policy,
              Optional.of(binding),
              "failed to configure binding: " + e.status().message()));
    }
  }

  /** What expressions about a request share. */
  RequestFacts facts(AdmissionRequest request) {
    return RequestFacts.of(request, registry, authorizers);
  }

  /** Whether a policy's conditions let it be about a request; fails with the reason if unknown. */
  static MatchConditions.Result conditions(PolicyHead policy, RequestVariables variables) {
    return policy.conditions().isEmpty()
        ? MatchConditions.Result.Matches.MATCHES
        : policy.conditions().evaluate(variables);
  }
}
