package dev.berth.controllers.serviceaccount;

import dev.berth.controllers.everynamespace.EveryNamespace;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * Keeps the account {@code default} in every namespace. Berth's API server makes it together with
 * the namespace, so that pods need not wait for it; it is made here when somebody deleted it, and
 * on servers that do not.
 */
public final class ServiceAccountController {
  /** The service account under which it works. */
  public static final String ACCOUNT = "service-account-controller";

  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("", "v1", "serviceaccounts");

  private ServiceAccountController() {}

  public static Controller start(ControllerParts parts) {
    return EveryNamespace.start(parts, "serviceaccount", new Default());
  }

  private static final class Default implements EveryNamespace.Wanted {
    @Override
    public GroupVersionResource resource() {
      return RESOURCE;
    }

    @Override
    public String name() {
      return "default";
    }

    @Override
    public JsonObject made() {
      return new JsonObject.Builder().put("kind", "ServiceAccount").put("apiVersion", "v1").build();
    }

    /** Whatever else people write into it is theirs. */
    @Override
    public Optional<JsonObject> mended(JsonObject found) {
      return Optional.empty();
    }
  }
}
