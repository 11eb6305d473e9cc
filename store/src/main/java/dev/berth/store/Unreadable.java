package dev.berth.store;

import dev.berth.store.Store.Entry;

/**
 * Why the value of an entry cannot be read: it is encrypted, and the key is missing. Such an entry
 * holds the bytes that are on disk, and this as its {@link Entry#view view}.
 */
public record Unreadable(String why) {

  /** Marks an entry that nobody has seen yet. */
  public static Entry mark(Entry entry, String why) {
    entry.view(Unreadable.class, e -> new Unreadable(why));
    return entry;
  }

  /** Why an entry cannot be read whose value is not what values of its kind look like. */
  public static Unreadable of(Entry entry) {
    return entry.view(Unreadable.class, e -> new Unreadable("the stored value is not an object"));
  }
}
