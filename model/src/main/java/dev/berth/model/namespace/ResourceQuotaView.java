package dev.berth.model.namespace;

import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Views;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A ResourceQuota.
 *
 * @param hard the most that may be used of each resource: what its status says, since nothing can
 *     be charged before it was counted
 * @param used what is used, as far as it was counted
 * @param scopes which objects it is about: those that are in every one of these
 */
public record ResourceQuotaView(
    ObjectName name, ResourceList hard, ResourceList used, List<Scope> scopes) {

  /** A scope, and which of its objects are meant: those for which the operator holds. */
  public record Scope(String name, String operator, List<String> values) {
    private static Scope read(JsonObject selector) {
      return new Scope(
          selector.text("scopeName", ""),
          selector.text("operator", ""),
          List.copyOf(selector.array("values").texts()));
    }
  }

  public static ResourceQuotaView read(JsonObject quota) {
    JsonObject spec = quota.object("spec");
    JsonObject status = quota.object("status");
    List<Scope> scopes = new ArrayList<>();
    for (String scope : spec.array("scopes").texts()) {
      scopes.add(new Scope(scope, "Exists", List.of()));
    }
    scopes.addAll(Views.list(spec.object("scopeSelector").array("matchExpressions"), Scope::read));
    return new ResourceQuotaView(
        ObjectName.of(quota),
        ResourceList.read(status.object("hard")),
        ResourceList.read(status.object("used")),
        List.copyOf(scopes));
  }
}
