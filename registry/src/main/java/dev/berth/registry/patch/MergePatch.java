package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;

/**
 * A JSON merge patch of RFC 7386: objects are merged, nulls remove, all else replaces.
 *
 * <p>As with Kubernetes, what is put where there was no object loses its nulls, also those of
 * objects within lists; what replaces an object keeps them.
 */
public final class MergePatch {
  /** So few fields are replaced one by one, each time copying the object's row of values. */
  private static final int FEW = 4;

  private MergePatch() {}

  /** The object after the patch; itself if the patch changes nothing. */
  public static JsonObject apply(JsonObject object, Object patch) {
    if (patch instanceof JsonObject changes) {
      return mergeObjects(object, changes);
    }
    throw PatchException.badRequest(
        "error decoding patch: expected an object, found " + JsonKind.of(patch).withArticle());
  }

  static Object merge(Object target, Object patch) {
    if (target instanceof JsonObject object) {
      return patch instanceof JsonObject changes ? mergeObjects(object, changes) : patch;
    }
    return withoutNulls(patch);
  }

  private static Object withoutNulls(Object value) {
    return switch (value) {
      case JsonObject object -> mergeObjects(JsonObject.EMPTY, object);
      case JsonArray array ->
          JsonArray.copyOf(array.values().stream().map(MergePatch::withoutNulls).toList());
      default -> value;
    };
  }

  private static JsonObject mergeObjects(JsonObject target, JsonObject patch) {
    return patch.size() <= FEW ? mergeFew(target, patch) : mergeMany(target, patch);
  }

  private static JsonObject mergeFew(JsonObject target, JsonObject patch) {
    JsonObject merged = target;
    for (int i = 0; i < patch.size(); i++) {
      String name = patch.name(i);
      if (patch.value(i) == JsonNull.NULL) {
        merged = merged.without(name);
      } else {
        Object old = merged.get(name);
        merged = merged.with(name, merge(old == null ? JsonNull.NULL : old, patch.value(i)));
      }
    }
    return merged;
  }

  private static JsonObject mergeMany(JsonObject target, JsonObject patch) {
    PatchedFields merged = new PatchedFields(target);
    for (int i = 0; i < patch.size(); i++) {
      String name = patch.name(i);
      if (patch.value(i) == JsonNull.NULL) {
        merged.remove(name);
      } else {
        Object old = merged.get(name);
        merged.put(name, merge(old == null ? JsonNull.NULL : old, patch.value(i)));
      }
    }
    return merged.build();
  }
}
