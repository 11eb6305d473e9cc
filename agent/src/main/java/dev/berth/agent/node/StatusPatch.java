package dev.berth.agent.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.nodestatus.KubeletConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The strategic merge patch that makes a node's status on the server what the node reports. What
 * the node does not report stays: conditions of others, and resources that others have patched in.
 *
 * @param tree has the conditions always, for their heartbeat
 * @param isChange whether there is more to it than the heartbeat
 */
record StatusPatch(JsonObject tree, boolean isChange) {
  private static final String CONDITIONS = "conditions";
  private static final String ADDRESSES = "addresses";
  private static final Set<String> AMOUNTS = Set.of("capacity", "allocatable");

  /**
   * @param gone resources that the node reported once and no longer has
   */
  static StatusPatch of(JsonObject shown, JsonObject reported, Set<String> gone) {
    JsonObject.Builder patch = new JsonObject.Builder();
    patch.put(CONDITIONS, reported.array(CONDITIONS));
    boolean[] isChange = {
      KubeletConditions.differ(
          Views.list(shown.array(CONDITIONS), Condition::read),
          Views.list(reported.array(CONDITIONS), Condition::read))
    };
    reported.forEach((name, value) -> {
      if (name.equals(CONDITIONS) || isSame(shown.get(name), value)) {
        return;
      }
      Object change =
          AMOUNTS.contains(name)
              ? amounts(shown.object(name), (JsonObject) value)
              : name.equals(ADDRESSES) ? replaced((JsonArray) value) : value;
      if (!change.equals(JsonObject.EMPTY)) {
        patch.put(name, change);
        isChange[0] = true;
      }
    });
    JsonObject built = patch.build();
    for (String resource : gone) {
      for (String list : AMOUNTS) {
        if (shown.object(list).has(resource)) {
          built = built.update(list, amounts -> amounts.with(resource, JsonNull.NULL));
          isChange[0] = true;
        }
      }
    }
    return new StatusPatch(JsonObject.of("status", built), isChange[0]);
  }

  /** Whether the server shows all that is reported, and perhaps more. */
  private static boolean isSame(@Nullable Object shown, Object reported) {
    if (shown == null) {
      return reported instanceof JsonNull
          || reported.equals(JsonArray.EMPTY)
          || reported.equals(JsonObject.EMPTY);
    }
    if (shown instanceof JsonObject before && reported instanceof JsonObject after) {
      for (int i = 0; i < after.size(); i++) {
        if (!isSame(before.get(after.name(i)), after.value(i))) {
          return false;
        }
      }
      return true;
    }
    return shown.equals(reported);
  }

  private static JsonObject amounts(JsonObject shown, JsonObject reported) {
    JsonObject.Builder changes = new JsonObject.Builder();
    reported.forEach((name, amount) -> {
      if (!amount.equals(shown.get(name))) {
        changes.put(name, amount);
      }
    });
    return changes.build();
  }

  /**
   * Addresses are merged by their type, of which there may be two: so the whole list is replaced.
   */
  private static JsonArray replaced(JsonArray addresses) {
    List<Object> all = new ArrayList<>(addresses.values());
    all.add(JsonObject.of("$patch", "replace"));
    return JsonArray.copyOf(all);
  }
}
