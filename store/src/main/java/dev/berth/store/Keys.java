package dev.berth.store;

/** What a key may be, and which keys a prefix covers. */
public final class Keys {

  /** As the end of a range: there is no end. */
  public static final String NO_END = "";

  private Keys() {}

  /**
   * The part of a key that names its resource: up to the third slash, such as {@code
   * /registry/pods/}. A key with fewer slashes is a resource of its own. In the order of keys,
   * those of a resource are all in a row.
   */
  static String resource(String key) {
    int end = endOfResource(key);
    return end < 0 ? key : key.substring(0, end);
  }

  /** Whether all keys that begin with a prefix are of one resource. */
  static boolean isWithinResource(String prefix) {
    return endOfResource(prefix) >= 0;
  }

  private static int endOfResource(String key) {
    int slash = -1;
    for (int i = 0; i < 3; i++) {
      slash = key.indexOf('/', slash + 1);
      if (slash < 0) {
        return -1;
      }
    }
    return slash + 1;
  }

  /** The smallest string above every key with the prefix, or {@link #NO_END}. */
  public static String endOfPrefix(String prefix) {
    int last = prefix.length() - 1;
    while (last >= 0 && prefix.charAt(last) == Character.MAX_VALUE) {
      last--;
    }
    return last < 0 ? NO_END : prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
  }

  /**
   * Refuses what no medium could give back: the empty key, and half a surrogate pair, which has no
   * UTF-8 form.
   */
  public static String check(String key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("A key must have at least one character.");
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < key.length()
                && Character.isLowSurrogate(key.charAt(i + 1));
        if (!pair) {
          throw new IllegalArgumentException(
              "The key %s has half of a surrogate pair at %d; it must be well-formed Unicode."
                  .formatted(key, i));
        }
        i++;
      }
    }
    return key;
  }
}
