package dev.berth.admission.match;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which requests a webhook or a policy is about.
 *
 * <ol>
 *   <li>A rule has to match the request, and no exclusion may. With the match policy {@code
 *       Equivalent}, a rule about another resource that serves the same objects will do; the
 *       request is then shown as one of that resource.
 *   <li>The namespace's labels have to match the namespace selector; for a request about a
 *       namespace, its own. Objects in no namespace are not exempt.
 *   <li>The object, before or after, has to match the object selector.
 *   <li>Configurations of webhooks and policies are never matched: a mistake in one must not keep
 *       anybody from mending it.
 * </ol>
 */
public final class RequestMatch {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final Set<String> EXEMPT =
      Set.of(
          "ValidatingWebhookConfiguration",
          "MutatingWebhookConfiguration",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding",
          "MutatingAdmissionPolicy",
          "MutatingAdmissionPolicyBinding");

  private final List<ResourceRule> rules;
  private final List<ResourceRule> excluded;
  private final LabelSelector namespaces;
  private final LabelSelector objects;
  private final boolean takesEquivalents;

  private RequestMatch(JsonObject tree) {
    this.rules =
        Stream.of("rules", "resourceRules")
            .flatMap(field -> tree.array(field).objects().stream())
            .map(ResourceRule::read)
            .toList();
    this.excluded =
        tree.array("excludeResourceRules").objects().stream().map(ResourceRule::read).toList();
    this.namespaces = selector(tree, "namespaceSelector");
    this.objects = selector(tree, "objectSelector");
    this.takesEquivalents = tree.text("matchPolicy", "Equivalent").equals("Equivalent");
  }

  /** What a webhook, or a policy's {@code matchConstraints} or binding, says of requests. */
  public static RequestMatch read(JsonObject webhookOrMatchResources) {
    return new RequestMatch(webhookOrMatchResources);
  }

  private static LabelSelector selector(JsonObject tree, String field) {
    return tree.has(field) ? LabelSelector.fromTree(tree.object(field)) : LabelSelector.EVERYTHING;
  }

  /** Whether nothing is said of resources, as in a binding that takes all that its policy does. */
  public boolean hasNoRules() {
    return rules.isEmpty();
  }

  /** Whether a request is never shown to webhooks and policies that are configured by objects. */
  public static boolean isExempt(AdmissionRequest request) {
    return request.resource().kind().group().equals(GROUP)
        && EXEMPT.contains(request.resource().kind().kind());
  }

  /**
   * The request as who is asked about it shall see it; empty if this is not about it.
   *
   * @param namespaceLabels asked only where the selector needs it
   */
  public Optional<MatchedRequest> match(
      AdmissionRequest request, Catalog catalog, NamespaceLabels namespaceLabels) {
    Optional<Resource> resource = resource(request, catalog);
    if (resource.isEmpty() || !matchesObject(request)) {
      return Optional.empty();
    }
    return matchesNamespace(request, namespaceLabels)
        ? resource.map(served -> new MatchedRequest(request, served))
        : Optional.empty();
  }

  /** The same for a binding, which may narrow what its policy matched: no rules mean all. */
  public boolean narrows(
      AdmissionRequest request, Catalog catalog, NamespaceLabels namespaceLabels) {
    boolean rulesMatch =
        rules.isEmpty()
            ? excluded.stream().noneMatch(rule -> rule.matches(request, request.resource()))
            : resource(request, catalog).isPresent();
    return rulesMatch && matchesObject(request) && matchesNamespace(request, namespaceLabels);
  }

  private Optional<Resource> resource(AdmissionRequest request, Catalog catalog) {
    Resource asked = request.resource();
    if (matches(excluded, request, catalog).isPresent()) {
      return Optional.empty();
    }
    return rules.stream().anyMatch(rule -> rule.matches(request, asked))
        ? Optional.of(asked)
        : matches(rules, request, catalog);
  }

  /** The first resource that serves the same objects, the request's own first, in rules' order. */
  private Optional<Resource> matches(
      List<ResourceRule> any, AdmissionRequest request, Catalog catalog) {
    if (any.isEmpty()) {
      return Optional.empty();
    }
    List<Resource> served =
        takesEquivalents ? catalog.equivalents(request.resource()) : List.of(request.resource());
    for (ResourceRule rule : any) {
      for (Resource each : served) {
        if (rule.matches(request, each)) {
          return Optional.of(each);
        }
      }
    }
    return Optional.empty();
  }

  private boolean matchesObject(AdmissionRequest request) {
    return objects.selectsEverything()
        || matchesLabels(request.object())
        || matchesLabels(request.old());
  }

  private boolean matchesLabels(JsonObject object) {
    return !object.isEmpty() && objects.matches(Metadata.of(object).labels());
  }

  private boolean matchesNamespace(AdmissionRequest request, NamespaceLabels namespaceLabels) {
    boolean isNamespace = request.resource().groupResource().toString().equals("namespaces");
    if (namespaces.selectsEverything() || (request.name().namespace().isEmpty() && !isNamespace)) {
      return true;
    }
    if (isNamespace && request.subresource().isEmpty() && !request.deletes()) {
      return namespaces.matches(Metadata.of(request.object()).labels());
    }
    String name = isNamespace ? request.name().name() : request.name().namespace();
    return namespaces.matches(namespaceLabels.of(name));
  }
}
