package dev.berth.kinds.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Labels of nodes that had other names once; who asks for the newer name asks for the same. */
final class RenamedLabels {
  private static final Map<String, String> NEWER =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/arch", "kubernetes.io/arch",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");

  private RenamedLabels() {}

  /** A tree with the older names of labels wherever an earlier one has them in the same place. */
  static JsonObject asBefore(JsonObject now, JsonObject before) {
    JsonObject result = now;
    String older = before.text("key", "");
    // Without a name at all, upstream takes a label for the newer name of any other.
    if (now.text("key", "").equals(NEWER.getOrDefault(older, ""))) {
      result = result.with("key", older);
    }
    for (String name : now.names()) {
      if (now.get(name) instanceof JsonObject field) {
        result = result.with(name, asBefore(field, before.object(name)));
      } else if (now.get(name) instanceof JsonArray list) {
        result = result.with(name, asBefore(list, before.array(name)));
      }
    }
    return result;
  }

  private static JsonArray asBefore(JsonArray now, JsonArray before) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      boolean both =
          i < before.size()
              && now.get(i) instanceof JsonObject
              && before.get(i) instanceof JsonObject;
      values.add(both ? asBefore((JsonObject) now.get(i), (JsonObject) before.get(i)) : now.get(i));
    }
    return JsonArray.copyOf(values);
  }
}
