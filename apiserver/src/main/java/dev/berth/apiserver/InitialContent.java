package dev.berth.apiserver;

import dev.berth.kinds.BuiltIns;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.registry.StoreContent;
import dev.berth.store.Store;
import java.util.List;
import java.util.Map;

/** What a server finds in its store when it is opened for the first time. */
public final class InitialContent {
  private InitialContent() {}

  /**
   * Puts objects into a store as they are. Those of a version that is not served are left out.
   *
   * @param objects by resource, such as {@code deployments.apps}
   */
  public static void put(
      Store store, FeatureGates gates, Map<String, ? extends List<JsonObject>> objects) {
    StoreContent content = new StoreContent(BuiltIns.catalog(gates), store);
    objects.forEach((resource, list) -> {
      int dot = resource.indexOf('.');
      String plural = dot < 0 ? resource : resource.substring(0, dot);
      list.forEach(object -> content.put(plural, object));
    });
  }
}
