package dev.berth.policy.history;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What a revision holds: a strategic merge patch that gives its owner the template of that time.
 * That is upstream's form, and {@code kubectl rollout undo} sends it to the server as it is.
 *
 * <p>Templates are compared as trees: the order of fields means nothing, and a field that is null
 * is one that is absent.
 */
public final class RevisionData {
  private static final String DIRECTIVE = "$patch";

  private RevisionData() {}

  /** The patch that restores a template. Its fields are in the order of their names. */
  public static JsonObject of(JsonObject template) {
    JsonObject replacing = sorted(template).with(DIRECTIVE, "replace");
    return JsonObject.of("spec", JsonObject.of("template", replacing));
  }

  /** The template that a revision's data restore. */
  public static JsonObject template(JsonObject data) {
    return data.object("spec").object("template").without(DIRECTIVE);
  }

  /** Whether a revision's data are those of a template. */
  public static boolean matches(JsonObject data, JsonObject template) {
    return sorted(template(data)).equals(sorted(template));
  }

  /** The same tree, without nulls, its fields in the order of their names. */
  public static JsonObject sorted(JsonObject object) {
    JsonObject.Builder builder = new JsonObject.Builder();
    List<String> names = new ArrayList<>(object.names());
    names.sort(null);
    for (String name : names) {
      Object value = object.get(name);
      if (value != null && !(value instanceof JsonNull)) {
        builder.put(name, sortedValue(value));
      }
    }
    return builder.build();
  }

  private static Object sortedValue(Object value) {
    return switch (value) {
      case JsonObject object -> sorted(object);
      case JsonArray array ->
          JsonArray.copyOf(array.values().stream().map(RevisionData::sortedValue).toList());
      default -> value;
    };
  }
}
