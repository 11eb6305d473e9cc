package dev.berth.model.tree;

/**
 * How large a tree is, in characters, roughly. What is kept of what others send is kept of small
 * trees only, since a large one may be sent only to fill the memory.
 */
public final class TreeSize {
  private TreeSize() {}

  /** Whether a value is no larger than that; looks no further. */
  public static boolean isAtMost(int characters, Object value) {
    return left(value, characters) >= 0;
  }

  private static int left(Object value, int size) {
    int left = size - 1;
    switch (value) {
      case String text -> left -= text.length();
      case JsonObject object -> {
        for (int i = 0; i < object.size() && left >= 0; i++) {
          left = left(object.value(i), left - object.name(i).length());
        }
      }
      case JsonArray array -> {
        for (int i = 0; i < array.size() && left >= 0; i++) {
          left = left(array.get(i), left);
        }
      }
      default -> {}
    }
    return left;
  }
}
