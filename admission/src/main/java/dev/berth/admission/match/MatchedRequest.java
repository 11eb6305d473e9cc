package dev.berth.admission.match;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;

/**
 * A request that somebody is to be asked about.
 *
 * @param request as it was made
 * @param resource as which it matched: its own resource, or another that serves the same objects
 */
public record MatchedRequest(AdmissionRequest request, Resource resource) {
  private static final JsonObject NO_USER =
      new JsonObject.Builder()
          .put("uid", "")
          .put("groups", JsonArray.EMPTY)
          .put("extra", JsonObject.EMPTY)
          .build();

  /** The object as it will be, in the form of the resource that matched; empty for a deletion. */
  public JsonObject object() {
    return request.resource().converted(request.object(), resource);
  }

  /** The object as it is, in the same form; empty for a creation. */
  public JsonObject oldObject() {
    return request.resource().converted(request.old(), resource);
  }

  /** What came back in the form of the resource that matched, in that of the request. */
  public JsonObject inRequestsForm(JsonObject changed) {
    return resource.converted(changed, request.resource());
  }

  /** The {@code request} of an AdmissionReview, which policies call by the same name. */
  public JsonObject tree(String uid) {
    Resource asked = request.resource();
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("uid", uid)
            .put("kind", kind(resource))
            .put("resource", name(resource));
    putUnlessEmpty(tree, "subResource", request.subresource());
    tree.put("requestKind", kind(asked)).put("requestResource", name(asked));
    putUnlessEmpty(tree, "requestSubResource", request.subresource());
    putUnlessEmpty(tree, "name", request.name().name());
    putUnlessEmpty(tree, "namespace", namespace());
    return tree.put("operation", request.operation().name())
        .put("userInfo", request.user().toTree())
        .put("object", orNull(object()))
        .put("oldObject", orNull(oldObject()))
        .put("dryRun", request.dryRun())
        .put("options", orNull(request.options()))
        .build();
  }

  /** The same as expressions know it: without objects, and with fields that are empty. */
  JsonObject withoutObjects() {
    Resource asked = request.resource();
    return new JsonObject.Builder()
        .put("uid", "")
        .put("kind", kind(resource))
        .put("resource", name(resource))
        .put("subResource", request.subresource())
        .put("requestKind", kind(asked))
        .put("requestResource", name(asked))
        .put("requestSubResource", request.subresource())
        .put("name", request.name().name())
        .put("namespace", namespace())
        .put("operation", request.operation().name())
        .put("userInfo", request.user().toTree().withMissing(NO_USER))
        .put("dryRun", request.dryRun())
        .put("options", orNull(request.options()))
        .build();
  }

  /** Requests about a namespace are, to those who are asked, in it. */
  private String namespace() {
    return request.resource().groupResource().toString().equals("namespaces")
        ? request.name().name()
        : request.name().namespace();
  }

  private JsonObject kind(Resource served) {
    GroupVersionKind kind =
        served.subresource(request.subresource()).map(Subresource::kind).orElse(served.kind());
    return new JsonObject.Builder()
        .put("group", kind.group())
        .put("version", kind.version())
        .put("kind", kind.kind())
        .build();
  }

  private static JsonObject name(Resource served) {
    return new JsonObject.Builder()
        .put("group", served.kind().group())
        .put("version", served.kind().version())
        .put("resource", served.plural())
        .build();
  }

  private static void putUnlessEmpty(JsonObject.Builder tree, String field, String value) {
    if (!value.isEmpty()) {
      tree.put(field, value);
    }
  }

  private static Object orNull(JsonObject object) {
    return object.isEmpty() ? JsonNull.NULL : object;
  }
}
