package dev.berth.admission.match;

import dev.berth.cel.library.AccessCheck;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all expressions about one request share, worked out when the first of them asks. Belongs to
 * the thread that handles the request.
 */
public final class RequestFacts {
  private final Supplier<AccessCheck> authorizer;
  private final Supplier<JsonObject> namespace;
  private @Nullable AccessCheck knownAuthorizer;
  private @Nullable JsonObject knownNamespace;
  private @Nullable JsonObject knownTree;
  private @Nullable Resource treeOf;

  /**
   * @param authorizer knows what who asks may do
   * @param namespace that the object is in; empty if it is in none
   */
  private RequestFacts(Supplier<AccessCheck> authorizer, Supplier<JsonObject> namespace) {
    this.authorizer = authorizer;
    this.namespace = namespace;
  }

  /** The facts of a request. */
  public static RequestFacts of(
      AdmissionRequest request, Registry registry, Authorizers authorizers) {
    return new RequestFacts(
        () -> authorizers.of(request.user()), () -> namespace(request, registry));
  }

  private static JsonObject namespace(AdmissionRequest request, Registry registry) {
    boolean isNamespace = request.resource().groupResource().toString().equals("namespaces");
    String name = isNamespace ? "" : request.name().namespace();
    return name.isEmpty()
        ? JsonObject.EMPTY
        : registry
            .find(registry.catalog().get("", "v1", "namespaces"), ObjectName.of(name))
            .map(Stored::tree)
            .orElse(JsonObject.EMPTY);
  }

  AccessCheck authorizer() {
    if (knownAuthorizer == null) {
      knownAuthorizer = authorizer.get();
    }
    return knownAuthorizer;
  }

  JsonObject namespace() {
    if (knownNamespace == null) {
      knownNamespace = namespace.get();
    }
    return knownNamespace;
  }

  /** The request as expressions know it: without objects, and with fields that are empty. */
  @SuppressWarnings("ReferenceEquality") // Resources are declared once.
  JsonObject tree(MatchedRequest request) {
    if (knownTree == null || treeOf != request.resource()) {
      knownTree = request.withoutObjects();
      treeOf = request.resource();
    }
    return knownTree;
  }
}
