package dev.berth.model.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * The names of an object's fields in their order, and what is made of them once for all objects
 * that share them: a hash table of their places, so that looking one up, or finding that it is not
 * there, takes the same few steps however many there are; and the names as they are written.
 */
final class Shape {
  static final Shape EMPTY = new Shape(new String[0]);

  /**
   * Longer lists of names (a ConfigMap's data) are rarely met again. A place in a shorter one fits
   * into a byte.
   */
  static final int LONGEST = Byte.MAX_VALUE;

  /** Names that are longer than this together are nobody's fields, and not kept for others. */
  private static final int MOST_CHARACTERS = 2048;

  /** A long list is sorted for those who look up more names in it than this. */
  private static final int LOOKUPS_UNSORTED = 4;

  /** So many names of one hash were looked for, to make hash tables slow. */
  private static final int MOST_COLLIDING = 1000;

  private final String[] names;
  private final boolean common;

  /**
   * The place of each name plus one, at its hash or at the next free slot; 0 where there is none.
   * Empty for long lists of names. Made when the first name is looked up: of many objects, such as
   * those that say who owns which field, none ever is.
   */
  private volatile byte @Nullable [] table;

  private volatile SerializedString @Nullable [] written;

  /** Counted without care for other threads: it decides about time alone. */
  private int lookups;

  private volatile @Nullable NameIndex index;

  /** Takes the array over; the names must differ from each other. */
  Shape(String[] names) {
    this.names = names;
    this.common = areCommon(names);
    if (names.length > MOST_COLLIDING) {
      checkCollisions();
    }
  }

  private void checkCollisions() {
    int[] sorted = Arrays.stream(names).mapToInt(String::hashCode).sorted().toArray();
    for (int i = MOST_COLLIDING; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - MOST_COLLIDING]) {
        throw new JsonException(
            "more than " + MOST_COLLIDING + " fields of one object have names of the same hash");
      }
    }
  }

  /** Not to be changed. */
  String[] names() {
    return names;
  }

  int size() {
    return names.length;
  }

  /** Whether others may have the same names, and so share this. */
  boolean isCommon() {
    return common;
  }

  /**
   * Whether it is worth keeping names for others. What clients send is kept before anybody has
   * looked at it, so this bounds what they can leave behind.
   */
  static boolean areCommon(String[] names) {
    if (names.length > LONGEST) {
      return false;
    }
    int characters = 0;
    for (String name : names) {
      characters += name.length();
    }
    return characters <= MOST_CHARACTERS;
  }

  /** Where a name is; negative if it is not there. */
  int indexOf(String name) {
    byte[] places = table;
    if (places == null) {
      places = makeTable();
      table = places;
    }
    if (places.length == 0) {
      return indexOfMany(name);
    }
    int slot = slot(name, places);
    for (int place = places[slot]; place != 0; place = places[slot]) {
      if (names[place - 1].equals(name)) {
        return place - 1;
      }
      slot = (slot + 1) & (places.length - 1);
    }
    return -1;
  }

  /**
   * At most half full, so that most names are where their hash says. Names are looked up by
   * constants, so they become the very strings of the constants: finding one is comparing two
   * references. Whoever reads the names meanwhile sees one or the other.
   */
  private byte[] makeTable() {
    if (names.length > LONGEST) {
      return new byte[0];
    }
    for (int i = 0; i < names.length; i++) {
      names[i] = names[i].intern();
    }
    byte[] places = new byte[Integer.highestOneBit(2 * names.length + 1) * 2];
    for (int i = 0; i < names.length; i++) {
      int slot = slot(names[i], places);
      while (places[slot] != 0) {
        slot = (slot + 1) & (places.length - 1);
      }
      places[slot] = (byte) (i + 1);
    }
    return places;
  }

  private static int slot(String name, byte[] places) {
    int mixed = name.hashCode() * 0x9E3779B9;
    return (mixed ^ (mixed >>> 16)) & (places.length - 1);
  }

  private int indexOfMany(String name) {
    if (++lookups > LOOKUPS_UNSORTED) {
      return sorted().find(name);
    }
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private NameIndex sorted() {
    NameIndex known = index;
    if (known == null) {
      known = new NameIndex(names);
      index = known;
    }
    return known;
  }

  /**
   * The names quoted and encoded; null for lists of names that are rarely met again, and for names
   * that are no text.
   */
  SerializedString @Nullable [] written() {
    SerializedString[] known = written;
    if (known == null && common) {
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
