package dev.berth.store;

import dev.berth.store.Store.Entry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The entries of a resource by the value of one field. Immutable like {@link SortedEntries}, so
 * that each revision has its own and all share what did not change: a write copies a path to its
 * value and one in the entries of that value.
 */
final class FieldIndex {
  private final SortedEntries<Bucket> buckets;

  /** The entries that share a value. */
  private record Bucket(String key, SortedEntries<Entry> entries) implements Keyed {}

  private FieldIndex(SortedEntries<Bucket> buckets) {
    this.buckets = buckets;
  }

  /** Of entries in the order of their keys. */
  static FieldIndex of(Collection<Entry> sorted, Function<Entry, String> value) {
    Map<String, List<Entry>> byValue =
        sorted.stream().collect(Collectors.groupingBy(value, TreeMap::new, Collectors.toList()));
    Bucket[] buckets =
        byValue.entrySet().stream()
            .map(same ->
                new Bucket(
                    same.getKey(), SortedEntries.ofSorted(same.getValue().toArray(Entry[]::new))))
            .toArray(Bucket[]::new);
    return new FieldIndex(SortedEntries.ofSorted(buckets));
  }

  SortedEntries<Entry> entries(String value) {
    Bucket bucket = buckets.get(value);
    return bucket == null ? SortedEntries.empty() : bucket.entries;
  }

  FieldIndex with(String value, Entry entry) {
    return new FieldIndex(buckets.with(new Bucket(value, entries(value).with(entry))));
  }

  FieldIndex without(String value, String key) {
    SortedEntries<Entry> left = entries(value).without(key);
    return new FieldIndex(
        left.size() == 0 ? buckets.without(value) : buckets.with(new Bucket(value, left)));
  }
}
