package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a strategic merge patch that say what to do, and are not part of the object. */
final class Directives {
  static final String PATCH = "$patch";
  static final String DELETE = "delete";
  static final String REPLACE = "replace";
  static final String MERGE = "merge";
  static final String RETAIN_KEYS = "$retainKeys";
  private static final String DELETE_FROM_PRIMITIVE_LIST = "$deleteFromPrimitiveList";
  private static final String SET_ELEMENT_ORDER = "$setElementOrder";

  private Directives() {}

  static boolean isDeleteFromList(String name) {
    return name.startsWith(DELETE_FROM_PRIMITIVE_LIST);
  }

  static boolean isElementOrder(String name) {
    return name.startsWith(SET_ELEMENT_ORDER);
  }

  /** The field from which elements are to be deleted. */
  static String deletedFrom(String name) {
    return target(name, DELETE_FROM_PRIMITIVE_LIST, "invalid patch format of primitive list");
  }

  /** The field whose elements are to be ordered. */
  static String orderedField(String name) {
    return target(name, SET_ELEMENT_ORDER, "invalid patch format of setElementOrder list");
  }

  private static String target(String name, String directive, String warning) {
    if (name.startsWith(directive + "/")) {
      return name.substring(directive.length() + 1);
    }
    throw PatchException.badRequest(warning);
  }

  /**
   * The part of a patch that is to be stored where there was nothing to merge it with: without
   * nulls in objects, and without anything that holds a directive.
   *
   * @return null if nothing is left
   */
  static @Nullable Object content(Object patch) {
    return switch (patch) {
      case JsonNull _ -> null;
      case JsonObject object -> object.has(PATCH) ? null : fields(object);
      case JsonArray array -> elements(array);
      case Object scalar -> scalar;
    };
  }

  /** The content of an object, whatever directive it has itself. */
  static JsonObject fields(JsonObject patch) {
    PatchedFields kept = new PatchedFields(patch);
    for (int i = 0; i < patch.size(); i++) {
      String name = patch.name(i);
      boolean directive =
          name.equals(PATCH)
              || name.equals(RETAIN_KEYS)
              || isDeleteFromList(name)
              || isElementOrder(name);
      Object content = directive ? null : content(patch.value(i));
      if (content == null) {
        kept.remove(name);
      } else {
        kept.put(name, content);
      }
    }
    return kept.build();
  }

  private static JsonArray elements(JsonArray patch) {
    List<Object> kept = new ArrayList<>(patch.size());
    for (Object element : patch.values()) {
      // A null among the elements is an element.
      Object content = element == JsonNull.NULL ? element : content(element);
      if (content != null) {
        kept.add(content);
      }
    }
    return JsonArray.copyOf(kept);
  }
}
