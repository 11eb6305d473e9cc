package dev.berth.policy.quota;

import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is used of a quota: counted from the objects of its namespace, and put into its status. */
public final class QuotaCount {
  private QuotaCount() {}

  /** The resources whose objects a quota counts, served or not. */
  public static Set<GroupResource> counted(JsonObject quota) {
    Set<GroupResource> counted = new LinkedHashSet<>();
    hard(quota).names().forEach(name -> counted.add(QuotaUsage.countedBy(name)));
    return counted;
  }

  /**
   * Whether a quota limits something that it does not show as used, or other amounts than those.
   */
  public static boolean isStale(JsonObject quota) {
    JsonObject status = quota.object("status");
    return !status.has("hard")
        || !status.has("used")
        || !ResourceList.read(hard(quota)).equals(ResourceList.read(status.object("hard")));
  }

  /**
   * What objects use of a quota.
   *
   * @param objects all objects of the quota's namespace, of each resource that could be counted
   * @return an amount for each name that is charged with one of these resources
   */
  public static ResourceList used(
      JsonObject quota, Map<GroupResource, List<JsonObject>> objects, Instant now) {
    ResourceQuotaView view = ResourceQuotaView.read(quota);
    SortedMap<String, Quantity> none = new TreeMap<>();
    for (String name : hard(quota).names()) {
      if (objects.containsKey(QuotaUsage.countedBy(name))) {
        none.put(name, Quantity.ZERO);
      }
    }
    ResourceList used = new ResourceList(none);
    for (Map.Entry<GroupResource, List<JsonObject>> each : objects.entrySet()) {
      GroupResource resource = each.getKey();
      for (JsonObject object : each.getValue()) {
        if (QuotaScopes.covers(view, resource, object)) {
          used = used.plus(QuotaUsage.of(resource, object, now));
        }
      }
    }
    return used;
  }

  /** A quota whose status says what is used. What could not be counted stays as it was. */
  public static JsonObject withUsed(JsonObject quota, ResourceList used) {
    JsonObject status = quota.object("status");
    JsonObject before = status.object("used");
    JsonObject.Builder usage = new JsonObject.Builder();
    for (String name : hard(quota).names()) {
      if (used.has(name)) {
        usage.put(name, used.get(name).toString());
      } else if (before.has(name)) {
        usage.put(name, before.text(name, ""));
      }
    }
    return quota.with("status", status.with("hard", hard(quota)).with("used", usage.build()));
  }

  private static JsonObject hard(JsonObject quota) {
    return quota.object("spec").object("hard");
  }
}
