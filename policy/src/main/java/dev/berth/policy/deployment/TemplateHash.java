package dev.berth.policy.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells templates apart: by comparing them, and by a short word for each that names its set. The
 * word is made as upstream's is, by FNV-1a of 32 bits and an alphabet without vowels, but from the
 * template's JSON: no other program's words can be had for the same template.
 */
public final class TemplateHash {
  /** The label that tells the pods of a deployment's sets apart. */
  public static final String LABEL = "pod-template-hash";

  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int BASIS = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private TemplateHash() {}

  /**
   * The word for a template.
   *
   * @param collisions how many words before this one were taken by something else
   */
  public static String of(JsonObject template, long collisions) {
    int hash = BASIS;
    String text = canonical(withoutHash(template)) + (collisions > 0 ? "#" + collisions : "");
    for (byte b : text.getBytes(UTF_8)) {
      hash = (hash ^ (b & 0xff)) * PRIME;
    }
    StringBuilder word = new StringBuilder();
    Integer.toUnsignedString(hash)
        .chars()
        .forEach(c -> word.append(ALPHABET.charAt(c % ALPHABET.length())));
    return word.toString();
  }

  /** Whether two templates make the same pods, the label of their set aside. */
  public static boolean isSame(JsonObject one, JsonObject other) {
    JsonObject first = withoutHash(one);
    JsonObject second = withoutHash(other);
    return first.equals(second) || canonical(first).equals(canonical(second));
  }

  static JsonObject withoutHash(JsonObject template) {
    JsonObject metadata = template.object("metadata");
    JsonObject labels = metadata.object("labels");
    return labels.has(LABEL)
        ? template.with("metadata", metadata.with("labels", labels.without(LABEL)))
        : template;
  }

  /** The text of a value with its fields in order, and without those that say nothing. */
  private static String canonical(Object value) {
    return switch (value) {
      case JsonObject object -> {
        List<String> names = new ArrayList<>(object.names());
        names.sort(null);
        StringBuilder text = new StringBuilder("{");
        for (String name : names) {
          Object field = object.get(name);
          if (field != null && !saysNothing(name, field)) {
            text.append(name).append(':').append(canonical(field)).append(',');
          }
        }
        yield text.append('}').toString();
      }
      case JsonArray array -> {
        StringBuilder text = new StringBuilder("[");
        array.values().forEach(element -> text.append(canonical(element)).append(','));
        yield text.append(']').toString();
      }
      case String text -> '"' + text.replace("\"", "\\\"") + '"';
      case Object other -> other.toString();
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
