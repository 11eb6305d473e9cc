package dev.berth.store;

/** What a {@link SortedEntries} can hold. */
interface Keyed {
  String key();
}
