package dev.berth.policy.deployment;

import dev.berth.model.core.PodTemplate;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.RevisionData;
import dev.berth.policy.history.RevisionHash;

/**
 * Tells templates apart: by comparing them, and by a short word for each that names its set. No
 * other program's words can be had for the same template; see {@link RevisionHash}.
 */
public final class TemplateHash {
  /** The label that tells the pods of a deployment's sets apart. */
  public static final String LABEL = "pod-template-hash";

  private TemplateHash() {}

  /**
   * The word for a template.
   *
   * @param collisions how many words before this one were taken by something else
   */
  public static String of(JsonObject template, long collisions) {
    return RevisionHash.of(essence(withoutHash(template)), collisions);
  }

  /** Whether two templates make the same pods, the label of their set aside. */
  public static boolean isSame(JsonObject one, JsonObject other) {
    JsonObject first = withoutHash(one);
    JsonObject second = withoutHash(other);
    return first.equals(second)
        || RevisionData.sorted(essence(first)).equals(RevisionData.sorted(essence(second)));
  }

  static JsonObject withoutHash(JsonObject template) {
    return new PodTemplate(template).withoutLabel(LABEL).tree();
  }

  /** An object without the fields that say nothing, wherever they are. */
  private static JsonObject essence(JsonObject object) {
    JsonObject.Builder kept = new JsonObject.Builder();
    for (int i = 0; i < object.size(); i++) {
      if (!saysNothing(object.name(i), object.value(i))) {
        kept.put(object.name(i), essenceOf(object.value(i)));
      }
    }
    return kept.build();
  }

  private static Object essenceOf(Object value) {
    return switch (value) {
      case JsonObject object -> essence(object);
      case JsonArray array ->
          JsonArray.copyOf(array.values().stream().map(TemplateHash::essenceOf).toList());
      case Object other -> other;
    };
  }

  private static boolean saysNothing(String name, Object field) {
    return switch (field) {
      case JsonNull _ -> true;
      case JsonArray array -> array.isEmpty();
      case JsonObject object ->
          object.isEmpty()
              && (name.equals("labels") || name.equals("annotations") || name.equals("metadata"));
      case Object _ -> false;
    };
  }
}
