package dev.berth.store;

import dev.berth.store.Store.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map of entries: a B+ tree whose changed copies share all untouched nodes.
 *
 * <p>A snapshot is a pointer to one of these. A write copies one leaf and the arrays of children
 * above it (some 500 bytes at 100,000 keys); the separating keys of an inner node are shared with
 * its copy unless a child was split or merged. Every node knows its size, so counting a range costs
 * two descents.
 *
 * <p>{@link EntryNode} holds the nodes; this class is the root: it grows and loses levels.
 */
final class SortedEntries {

  static final SortedEntries EMPTY = new SortedEntries(new EntryNode.Leaf(new Entry[0]));

  private final EntryNode root;

  private SortedEntries(EntryNode root) {
    this.root = root;
  }

  /** All nodes full but the last ones: entries must be sorted, and no key may occur twice. */
  static SortedEntries ofSorted(Entry[] entries) {
    for (int i = 1; i < entries.length; i++) {
      if (entries[i - 1].key().compareTo(entries[i].key()) >= 0) {
        throw new IllegalArgumentException(
            "The key %s does not come after %s.".formatted(entries[i].key(), entries[i - 1].key()));
      }
    }
    if (entries.length == 0) {
      return EMPTY;
    }
    List<EntryNode> level = new ArrayList<>();
    for (int i = 0; i < entries.length; i += EntryNode.MAX_WIDTH) {
      int end = Math.min(entries.length, i + EntryNode.MAX_WIDTH);
      level.add(new EntryNode.Leaf(Arrays.copyOfRange(entries, i, end)));
    }
    while (level.size() > 1) {
      List<EntryNode> above = new ArrayList<>();
      for (int i = 0; i < level.size(); i += EntryNode.MAX_WIDTH) {
        int end = Math.min(level.size(), i + EntryNode.MAX_WIDTH);
        above.add(EntryNode.Inner.of(level.subList(i, end).toArray(EntryNode[]::new)));
      }
      level = above;
    }
    return new SortedEntries(level.getFirst());
  }

  int size() {
    return root.size();
  }

  @Nullable Entry get(String key) {
    return root.get(key);
  }

  SortedEntries with(Entry entry) {
    EntryNode changed = root.with(entry);
    return new SortedEntries(
        changed.width() > EntryNode.MAX_WIDTH
            ? EntryNode.Inner.of(changed.firstHalf(), changed.secondHalf())
            : changed);
  }

  /** This map itself if it does not hold the key. */
  SortedEntries without(String key) {
    EntryNode changed = root.without(key);
    if (changed.size() == root.size()) {
      return this;
    }
    while (changed instanceof EntryNode.Inner inner && inner.width() == 1) {
      changed = inner.onlyChild();
    }
    return changed.width() == 0 ? EMPTY : new SortedEntries(changed);
  }

  /** How many keys lie in the range; {@link Keys#NO_END} is understood. */
  int count(String from, String to) {
    int end = to.equals(Keys.NO_END) ? root.size() : root.rank(to);
    return Math.max(0, end - root.rank(from));
  }

  /** The first entries of the range, in key order. */
  List<Entry> range(String from, String to, int limit) {
    int found = Math.min(limit, count(from, to));
    Entry[] entries = new Entry[found];
    if (found > 0) {
      root.copyFrom(from, entries, 0);
    }
    return List.of(entries);
  }
}
