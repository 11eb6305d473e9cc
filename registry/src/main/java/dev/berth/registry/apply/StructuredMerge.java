package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Merges part of an object into another as server-side apply would, without owning anything. */
public final class StructuredMerge {
  private StructuredMerge() {}

  public static JsonObject merge(JsonObject object, JsonObject part, Structure structure) {
    return AppliedMerge.merge(object, part, structure);
  }

  /** The paths in a part at which a list or an object is replaced as a whole. */
  public static List<String> atomics(JsonObject part, Structure structure) {
    List<String> found = new ArrayList<>();
    collect("", part, structure, found);
    return found;
  }

  private static void collect(String path, Object value, Structure structure, List<String> found) {
    boolean container = value instanceof JsonObject || value instanceof JsonArray;
    if (!container) {
      return;
    }
    if (structure == Structure.Leaf.LEAF || structure instanceof Structure.Atomic) {
      found.add(path);
      return;
    }
    if (value instanceof JsonObject object) {
      object.forEach((name, field) ->
          collect(path + "." + name, field, ObjectFields.child(structure, name), found));
    } else if (value instanceof JsonArray list && ObjectFields.isGranularList(structure)) {
      for (int i = 0; i < list.size(); i++) {
        collect(path + "[" + i + "]", list.get(i), ObjectFields.child(structure), found);
      }
    }
  }
}
