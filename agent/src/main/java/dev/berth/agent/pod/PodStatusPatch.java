package dev.berth.agent.pod;

import dev.berth.model.core.PodCondition;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A strategic merge patch that makes a status on the server say what its node says: the fields and
 * conditions that differ, and those that are to go. Conditions of others stay.
 */
final class PodStatusPatch {
  private static final Set<String> ADDRESSES = Set.of("podIPs", "hostIPs");
  private static final Set<String> RESOURCES = Set.of("resources", "allocatedResources");
  private static final List<String> REASONS = List.of("reason", "message");

  private PodStatusPatch() {}

  /** Empty if nothing differs. */
  static JsonObject between(JsonObject shown, JsonObject wanted) {
    JsonObject.Builder patch = new JsonObject.Builder();
    for (int i = 0; i < wanted.size(); i++) {
      String field = wanted.name(i);
      if (field.equals("conditions")) {
        JsonArray conditions = conditions(shown.array(field), wanted.array(field));
        if (!conditions.isEmpty()) {
          patch.put(field, conditions);
        }
      } else if (!wanted.value(i).equals(shown.get(field))) {
        patch.put(field, changed(field, shown, wanted));
      }
    }
    for (String field : REASONS) {
      if (shown.has(field) && !wanted.has(field)) {
        patch.put(field, JsonNull.NULL);
      }
    }
    return patch.build();
  }

  /** What makes a field say what is wanted. */
  private static Object changed(String field, JsonObject shown, JsonObject wanted) {
    if (ADDRESSES.contains(field)) {
      return instead(wanted.array(field));
    }
    return RESOURCES.contains(field)
        ? instead(shown.object(field), wanted.object(field))
        : Objects.requireNonNull(wanted.get(field));
  }

  /** An object that takes the place of another one, although objects are merged. */
  private static JsonObject instead(JsonObject shown, JsonObject wanted) {
    JsonObject whole = wanted;
    for (int i = 0; i < shown.size(); i++) {
      String name = shown.name(i);
      Object value = wanted.get(name);
      if (value == null) {
        whole = whole.with(name, JsonNull.NULL);
      } else if (value instanceof JsonObject object
          && shown.value(i) instanceof JsonObject before) {
        whole = whole.with(name, instead(before, object));
      }
    }
    return whole;
  }

  /** A list that takes the place of what is there, where lists are merged. */
  private static JsonArray instead(JsonArray list) {
    List<JsonObject> elements = new ArrayList<>();
    elements.add(JsonObject.of("$patch", "replace"));
    elements.addAll(list.objects());
    return JsonArray.copyOf(elements);
  }

  private static JsonArray conditions(JsonArray shown, JsonArray wanted) {
    List<JsonObject> changed = new ArrayList<>();
    for (JsonObject condition : wanted.objects()) {
      JsonObject before =
          Conditions.find(shown, condition.text("type", "")).orElse(JsonObject.EMPTY);
      JsonObject whole = withoutWhatIsGone(before, condition);
      if (!says(before, whole)) {
        changed.add(whole);
      }
    }
    for (String type : PodCondition.RESIZE) {
      if (Conditions.find(shown, type).isPresent() && Conditions.find(wanted, type).isEmpty()) {
        changed.add(new JsonObject.Builder().put("$patch", "delete").put("type", type).build());
      }
    }
    return JsonArray.copyOf(changed);
  }

  /** A condition that no longer says why is to say so. */
  private static JsonObject withoutWhatIsGone(JsonObject before, JsonObject condition) {
    JsonObject whole = condition;
    for (String field : REASONS) {
      if (before.has(field) && !condition.has(field)) {
        whole = whole.with(field, JsonNull.NULL);
      }
    }
    return whole;
  }

  private static boolean says(JsonObject before, JsonObject condition) {
    for (int i = 0; i < condition.size(); i++) {
      Object shown = before.get(condition.name(i));
      Object value = condition.value(i);
      boolean same = value instanceof JsonNull ? shown == null : value.equals(shown);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
