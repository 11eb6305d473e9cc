package dev.berth.admission.match;

import dev.berth.cel.eval.CelVariables;
import dev.berth.cel.library.AccessCheck;
import dev.berth.cel.value.LazyObject;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What expressions about a request see. Belongs to the thread that handles it. */
public final class RequestVariables implements CelVariables {
  private final MatchedRequest request;
  private final RequestFacts facts;
  private final Object params;
  private @Nullable LazyObject variables;
  private @Nullable Object object;
  private @Nullable Object oldObject;

  /**
   * @param params the parameters of a policy; empty if there are none
   */
  public RequestVariables(MatchedRequest request, RequestFacts facts, JsonObject params) {
    this.request = request;
    this.facts = facts;
    this.params = orNull(params);
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
      case "request" -> facts.tree(request);
      case "params" -> params;
      case "namespaceObject" -> orNull(facts.namespace());
      case "authorizer" -> facts.authorizer();
      case "authorizer.requestResource" -> requestResource();
      case "variables" -> variables == null ? Map.of() : variables;
      default -> null;
    };
  }

  private AccessCheck.ResourceCheck requestResource() {
    AdmissionRequest asked = request.request();
    Resource resource = asked.resource();
    return new AccessCheck.ResourceCheck(
        facts.authorizer(),
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
