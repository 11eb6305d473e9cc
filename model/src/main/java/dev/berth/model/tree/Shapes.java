package dev.berth.model.tree;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * Shares what trees have in common: the field names of objects with the same fields, and short
 * strings that occur in many objects ("True", an image's name).
 *
 * <p>Both tables are caches with one slot per hash: a newcomer replaces what was there. So they are
 * bounded, need no lock, and cannot be filled by hostile documents; at worst, something is held
 * twice. What they return is equal to what they were given, so sharing is never visible.
 */
final class Shapes {
  private static final int SHAPES = 4096;
  private static final int STRINGS = 1 << 14;

  /** Longer lists of names (a ConfigMap's data) and longer strings are rarely met again. */
  private static final int LONGEST_SHAPE = 48;

  static final int LONGEST_STRING = 96;

  private static final AtomicReferenceArray<String[]> shapes = new AtomicReferenceArray<>(SHAPES);

  /** The names in each slot of shapes, ready to be written. */
  private static final AtomicReferenceArray<Encoded> encodings = new AtomicReferenceArray<>(SHAPES);

  private static final class Encoded {
    final String[] names;
    final SerializedString[] written;

    Encoded(String[] names, SerializedString[] written) {
      this.names = names;
      this.written = written;
    }
  }

  /** Plain slots: a string is safe to read however it was published. */
  private static final @Nullable String[] strings = new @Nullable String[STRINGS];

  private Shapes() {}

  /** The shared names equal to these, or null when they have not been seen lately. */
  static String @Nullable [] find(String[] buffer, int from, int to) {
    String[] shape = shapes.getAcquire(slot(buffer, from, to));
    return shape != null && Arrays.equals(shape, 0, shape.length, buffer, from, to) ? shape : null;
  }

  /** The names themselves, or the array that is shared by all objects with these names. */
  static String[] share(String[] names) {
    if (names.length > LONGEST_SHAPE) {
      return names;
    }
    String[] known = find(names, 0, names.length);
    if (known != null) {
      return known;
    }
    shapes.setRelease(slot(names, 0, names.length), names);
    return names;
  }

  /**
   * Names as they are written, quoted and encoded once for all objects that share them; null for
   * lists of names that are not shared, and for names that are no text.
   */
  @SuppressWarnings("ReferenceEquality") // another array may hold other names in the same slot
  static SerializedString @Nullable [] encoded(String[] names) {
    if (names.length > LONGEST_SHAPE) {
      return null;
    }
    int slot = slot(names, 0, names.length);
    Encoded known = encodings.getAcquire(slot);
    if (known != null && known.names == names) {
      return known.written;
    }
    SerializedString[] written = new SerializedString[names.length];
    for (int i = 0; i < names.length; i++) {
      written[i] = new SerializedString(names[i]);
      try {
        var _ = written[i].asQuotedUTF8();
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    encodings.setRelease(slot, new Encoded(names, written));
    return written;
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

  private static int slot(String[] names, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + names[i].hashCode();
    }
    return (hash ^ (hash >>> 16)) & (SHAPES - 1);
  }
}
