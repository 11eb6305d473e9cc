package dev.berth.admission.match;

import dev.berth.cel.eval.CelVariables;
import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.value.LazyObject;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What expressions about a request see. Belongs to the thread that handles it. */
public final class RequestVariables implements CelVariables {
  private final MatchedRequest request;
  private final AccessCheck authorizer;
  private final Object params;
  private final Object namespace;
  private @Nullable LazyObject variables;
  private @Nullable JsonObject tree;
  private @Nullable Object object;
  private @Nullable Object oldObject;

  /**
   * @param params the parameters of a policy; empty if there are none
   * @param namespace that the object is in; empty if it is in none
   */
  public RequestVariables(
      MatchedRequest request, AccessCheck authorizer, JsonObject params, JsonObject namespace) {
    this.request = request;
    this.authorizer = authorizer;
    this.params = orNull(params);
    this.namespace = orNull(namespace);
  }

  /** Adds the variables of a policy. */
  public void setVariables(LazyObject variables) {
    this.variables = variables;
  }

  @Override
  public @Nullable Object get(String name) {
    return switch (name) {
      case "object" -> {
        if (object == null) {
          object = orNull(request.object());
        }
        yield object;
      }
      case "oldObject" -> {
        if (oldObject == null) {
          oldObject = orNull(request.oldObject());
        }
        yield oldObject;
      }
      case "request" -> {
        if (tree == null) {
          tree = requestTree();
        }
        yield tree;
      }
      case "params" -> params;
      case "namespaceObject" -> namespace;
      case "authorizer" -> authorizer;
      case "authorizer.requestResource" -> requestResource();
      case "variables" -> variables == null ? Map.of() : variables;
      default -> null;
    };
  }

  /** The request as expressions know it, whose fields are all there even if they are empty. */
  private JsonObject requestTree() {
    JsonObject full = request.tree("");
    JsonObject user = full.object("userInfo");
    user = user.has("uid") ? user : user.with("uid", "");
    user = user.has("groups") ? user : user.with("groups", JsonArray.EMPTY);
    user = user.has("extra") ? user : user.with("extra", JsonObject.EMPTY);
    for (String field : new String[] {"subResource", "requestSubResource", "name", "namespace"}) {
      full = full.has(field) ? full : full.with(field, "");
    }
    return full.without("object").without("oldObject").with("userInfo", user);
  }

  private AccessCheck.ResourceCheck requestResource() {
    AdmissionRequest asked = request.request();
    Resource resource = asked.resource();
    return new AccessCheck.ResourceCheck(
        authorizer,
        resource.kind().group(),
        resource.plural(),
        asked.subresource(),
        asked.name().namespace(),
        asked.name().name(),
        "",
        "");
  }

  private static Object orNull(JsonObject object) {
    return object.isEmpty() ? JsonNull.NULL : object;
  }
}
