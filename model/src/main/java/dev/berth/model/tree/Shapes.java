package dev.berth.model.tree;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Shares what trees have in common: the field names of objects with the same fields, and short
 * strings that occur in many objects ("True", an image's name).
 *
 * <p>Both tables are caches with one slot per hash: a newcomer replaces what was there. So they are
 * bounded, need no lock, and cannot be filled by hostile documents, of which they keep neither long
 * names nor long strings; at worst, something is held twice. What they return is equal to what they
 * were given, so sharing is never visible.
 */
final class Shapes {
  private static final int SHAPES = 4096;

  /** Of those with more names than most objects have. */
  private static final int LONG_SHAPES = 256;

  private static final int USUAL_NAMES = 48;
  private static final int STRINGS = 1 << 14;

  /** Longer strings are rarely met again. */
  static final int LONGEST_STRING = 96;

  private static final AtomicReferenceArray<Shape> shapes = new AtomicReferenceArray<>(SHAPES);
  private static final AtomicReferenceArray<Shape> longShapes =
      new AtomicReferenceArray<>(LONG_SHAPES);

  /** Plain slots: a string is safe to read however it was published. */
  private static final @Nullable String[] strings = new @Nullable String[STRINGS];

  private Shapes() {}

  /** The shared shape of these names, or null when they have not been seen lately. */
  static @Nullable Shape find(String[] buffer, int from, int to) {
    var table = table(to - from);
    Shape shape = table.getAcquire(slot(table, buffer, from, to));
    return shape != null && Arrays.equals(shape.names(), 0, shape.size(), buffer, from, to)
        ? shape
        : null;
  }

  /** The shape that is shared by all objects with these names; takes the array over. */
  static Shape share(String[] names) {
    if (!Shape.areCommon(names)) {
      return new Shape(names);
    }
    Shape known = find(names, 0, names.length);
    if (known != null) {
      return known;
    }
    Shape made = new Shape(names);
    var table = table(names.length);
    table.setRelease(slot(table, names, 0, names.length), made);
    return made;
  }

  /** An equal string, the same one for most callers if it is short. */
  static String share(String text) {
    if (text.length() > LONGEST_STRING) {
      return text;
    }
    int hash = text.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (STRINGS - 1);
    String known = strings[slot];
    if (known != null && known.equals(text)) {
      return known;
    }
    strings[slot] = text;
    return text;
  }

  private static AtomicReferenceArray<Shape> table(int names) {
    return names > USUAL_NAMES ? longShapes : shapes;
  }

  private static int slot(AtomicReferenceArray<Shape> table, String[] names, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + names[i].hashCode();
    }
    return (hash ^ (hash >>> 16)) & (table.length() - 1);
  }
}
