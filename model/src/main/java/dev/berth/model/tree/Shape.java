package dev.berth.model.tree;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * The names of an object's fields in their order, and what is made of them once for all objects
 * that share them: their hashes side by side, so that looking one up reads one line of memory and
 * not a string for each field, and the names as they are written.
 */
final class Shape {
  static final Shape EMPTY = new Shape(new String[0]);

  /** Longer lists of names (a ConfigMap's data) are rarely met again. */
  static final int LONGEST = 48;

  private final String[] names;
  private final int[] hashes;
  private volatile SerializedString @Nullable [] written;

  /** Takes the array over; the names must differ from each other. */
  Shape(String[] names) {
    this.names = names;
    this.hashes = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      hashes[i] = names[i].hashCode();
    }
  }

  /** Not to be changed. */
  String[] names() {
    return names;
  }

  int size() {
    return names.length;
  }

  /** Where a name is; negative if it is not there. */
  int indexOf(String name) {
    int hash = name.hashCode();
    for (int i = 0; i < hashes.length; i++) {
      if (hashes[i] == hash && names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The names quoted and encoded; null for lists of names that are rarely met again, and for names
   * that are no text.
   */
  SerializedString @Nullable [] written() {
    SerializedString[] known = written;
    if (known == null && names.length <= LONGEST) {
      known = encoded();
      written = known;
    }
    return known;
  }

  private SerializedString @Nullable [] encoded() {
    SerializedString[] encoded = new SerializedString[names.length];
    for (int i = 0; i < names.length; i++) {
      encoded[i] = new SerializedString(names[i]);
      try {
        var _ = encoded[i].asQuotedUTF8();
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return encoded;
  }
}
