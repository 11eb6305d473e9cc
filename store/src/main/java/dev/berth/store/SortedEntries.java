package dev.berth.store;

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
final class SortedEntries<E extends Keyed> {

  private static final SortedEntries<Keyed> EMPTY =
      new SortedEntries<>(new EntryNode.Leaf<>(new Keyed[0]));

  private final EntryNode<E> root;

  private SortedEntries(EntryNode<E> root) {
    this.root = root;
  }

  /** An empty map holds nothing, so the same one is good for every type. */
  @SuppressWarnings("unchecked")
  static <E extends Keyed> SortedEntries<E> empty() {
    return (SortedEntries<E>) EMPTY;
  }

  /** All nodes full but the last ones: entries must be sorted, and no key may occur twice. */
  static <E extends Keyed> SortedEntries<E> ofSorted(E[] entries) {
    for (int i = 1; i < entries.length; i++) {
      if (entries[i - 1].key().compareTo(entries[i].key()) >= 0) {
        throw new IllegalArgumentException(
            "The key %s does not come after %s.".formatted(entries[i].key(), entries[i - 1].key()));
      }
    }
    if (entries.length == 0) {
      return empty();
    }
    List<EntryNode<E>> level = new ArrayList<>();
    for (int i = 0; i < entries.length; i += EntryNode.MAX_WIDTH) {
      int end = Math.min(entries.length, i + EntryNode.MAX_WIDTH);
      level.add(new EntryNode.Leaf<>(Arrays.copyOfRange(entries, i, end)));
    }
    while (level.size() > 1) {
      List<EntryNode<E>> above = new ArrayList<>();
      for (int i = 0; i < level.size(); i += EntryNode.MAX_WIDTH) {
        int end = Math.min(level.size(), i + EntryNode.MAX_WIDTH);
        above.add(EntryNode.Inner.of(level.subList(i, end)));
      }
      level = above;
    }
    return new SortedEntries<>(level.getFirst());
  }

  int size() {
    return root.size();
  }

  @Nullable E get(String key) {
    return root.get(key);
  }

  SortedEntries<E> with(E entry) {
    EntryNode<E> changed = root.with(entry);
    return new SortedEntries<>(
        changed.width() > EntryNode.MAX_WIDTH
            ? EntryNode.Inner.of(List.of(changed.firstHalf(), changed.secondHalf()))
            : changed);
  }

  /** This map itself if it does not hold the key. */
  SortedEntries<E> without(String key) {
    EntryNode<E> changed = root.without(key);
    if (changed.size() == root.size()) {
      return this;
    }
    while (changed instanceof EntryNode.Inner<E> inner && inner.width() == 1) {
      changed = inner.onlyChild();
    }
    return changed.width() == 0 ? empty() : new SortedEntries<>(changed);
  }

  /** How many keys lie in the range; {@link Keys#NO_END} is understood. */
  int count(String from, String to) {
    int end = to.equals(Keys.NO_END) ? root.size() : root.rank(to);
    return Math.max(0, end - root.rank(from));
  }

  /** The first entries of the range, in key order. */
  List<E> range(String from, String to, int limit) {
    int found = Math.min(limit, count(from, to));
    if (found == 0) {
      return List.of();
    }
    @SuppressWarnings("unchecked") // It leaves this method as a list only.
    E[] entries = (E[]) new Keyed[found];
    root.copyFrom(from, entries, 0);
    return List.of(entries);
  }
}
