package dev.berth.model.tree;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Where in a document some fields are named, for the first and for the second time. A tree does not
 * tell, so the document is read once more by whoever has something to say of them.
 */
public final class FieldOrder {
  /** Of a field that is not named, or not again. */
  public static final int NOWHERE = Integer.MAX_VALUE;

  private final Map<String, int[]> places = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private int count;

  private FieldOrder(Set<String> paths) {
    for (String path : paths) {
      places.put(path, new int[] {NOWHERE, NOWHERE});
      names.add(path.substring(path.lastIndexOf('.') + 1));
    }
  }

  /**
   * Finds fields.
   *
   * @param json a document that has been read before
   * @param paths such as {@code spec.containers[0].name}
   */
  public static FieldOrder of(byte[] json, Set<String> paths) {
    FieldOrder order = new FieldOrder(paths);
    try (JsonParser parser =
        JsonReader.FORGETFUL_FACTORY.createParser(ObjectReadContext.empty(), json)) {
      order.walk(parser, parser.nextToken(), "");
    }
    return order;
  }

  /** Where a field is named first, counted in fields. */
  public int first(String path) {
    return places.getOrDefault(path, new int[] {NOWHERE, NOWHERE})[0];
  }

  /** Where a field is named again. */
  public int second(String path) {
    return places.getOrDefault(path, new int[] {NOWHERE, NOWHERE})[1];
  }

  private void walk(JsonParser parser, JsonToken token, String path) {
    if (token == JsonToken.START_OBJECT) {
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        String field = path.isEmpty() ? name : path + "." + name;
        if (names.contains(name.substring(name.lastIndexOf('.') + 1))) {
          note(field);
        }
        count++;
        walk(parser, parser.nextToken(), field);
      }
    } else if (token == JsonToken.START_ARRAY) {
      int index = 0;
      for (JsonToken element = parser.nextToken();
          element != JsonToken.END_ARRAY;
          element = parser.nextToken()) {
        walk(parser, element, path + "[" + index++ + "]");
      }
    }
  }

  private void note(String field) {
    int[] known = places.get(field);
    if (known != null && known[1] == NOWHERE) {
      known[known[0] == NOWHERE ? 0 : 1] = count;
    }
  }
}
