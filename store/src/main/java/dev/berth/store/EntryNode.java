package dev.berth.store;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of {@link SortedEntries}. Never changed after it was made.
 *
 * <p>A change may leave a node one too wide or too narrow; the node above splits it, or joins it
 * with a neighbour. Only the root may stay narrower than {@link #MIN_WIDTH}.
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed, and nodes not compared.
sealed interface EntryNode<E extends Keyed> {

  /** Wide enough for three levels at 30,000 keys, narrow enough that copying a path is cheap. */
  int MAX_WIDTH = 32;

  int MIN_WIDTH = MAX_WIDTH / 4;

  /** Entries of a leaf, children of an inner node. */
  int width();

  /** Entries in the whole subtree. */
  int size();

  /**
   * A separator in front of this node; asked only of a leaf and of a node just built or split off.
   */
  String firstKey();

  @Nullable E get(String key);

  EntryNode<E> with(E entry);

  /** This node itself if it does not hold the key. */
  EntryNode<E> without(String key);

  /** How many keys of the subtree are smaller. */
  int rank(String key);

  /** Copies entries from a key on until the target is full; returns the filled length. */
  int copyFrom(String from, E[] target, int filled);

  EntryNode<E> firstHalf();

  EntryNode<E> secondHalf();

  /** This node and its right neighbour, of the same kind, as one; the key separates them. */
  EntryNode<E> joinedWith(String separator, EntryNode<E> right);

  record Leaf<E extends Keyed>(E[] entries) implements EntryNode<E> {
    @Override
    public int width() {
      return entries.length;
    }

    @Override
    public int size() {
      return entries.length;
    }

    @Override
    public String firstKey() {
      return entries[0].key();
    }

    @Override
    public @Nullable E get(String key) {
      int i = indexOf(key);
      return i >= 0 ? entries[i] : null;
    }

    @Override
    public Leaf<E> with(E entry) {
      int i = indexOf(entry.key());
      if (i >= 0) {
        E[] copy = entries.clone();
        copy[i] = entry;
        return new Leaf<>(copy);
      }
      int at = -i - 1;
      E[] copy = Arrays.copyOf(entries, entries.length + 1);
      System.arraycopy(entries, at, copy, at + 1, entries.length - at);
      copy[at] = entry;
      return new Leaf<>(copy);
    }

    @Override
    public Leaf<E> without(String key) {
      int i = indexOf(key);
      if (i < 0) {
        return this;
      }
      E[] copy = Arrays.copyOf(entries, entries.length - 1);
      System.arraycopy(entries, i + 1, copy, i, copy.length - i);
      return new Leaf<>(copy);
    }

    @Override
    public int rank(String key) {
      int i = indexOf(key);
      return i >= 0 ? i : -i - 1;
    }

    @Override
    public int copyFrom(String from, E[] target, int filled) {
      int start = filled > 0 ? 0 : rank(from);
      int length = Math.min(entries.length - start, target.length - filled);
      System.arraycopy(entries, start, target, filled, length);
      return filled + length;
    }

    @Override
    public Leaf<E> firstHalf() {
      return new Leaf<>(Arrays.copyOf(entries, entries.length / 2));
    }

    @Override
    public Leaf<E> secondHalf() {
      return new Leaf<>(Arrays.copyOfRange(entries, entries.length / 2, entries.length));
    }

    @Override
    public Leaf<E> joinedWith(String separator, EntryNode<E> right) {
      E[] more = ((Leaf<E>) right).entries;
      E[] all = Arrays.copyOf(entries, entries.length + more.length);
      System.arraycopy(more, 0, all, entries.length, more.length);
      return new Leaf<>(all);
    }

    private int indexOf(String key) {
      int low = 0;
      int high = entries.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int order = entries[middle].key().compareTo(key);
        if (order == 0) {
          return middle;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return -low - 1;
    }
  }

  /**
   * {@code lows[i]} separates: above all keys of child i-1, not above those of child i. The first
   * one means nothing once a smaller key was put.
   */
  record Inner<E extends Keyed>(EntryNode<E>[] children, String[] lows, int size)
      implements EntryNode<E> {

    @SuppressWarnings("unchecked") // An array of nodes holds what the list holds.
    static <E extends Keyed> Inner<E> of(List<EntryNode<E>> children) {
      String[] lows = children.stream().map(EntryNode::firstKey).toArray(String[]::new);
      return of((EntryNode<E>[]) children.toArray(EntryNode[]::new), lows);
    }

    private static <E extends Keyed> Inner<E> of(EntryNode<E>[] children, String[] lows) {
      int size = 0;
      for (EntryNode<E> child : children) {
        size += child.size();
      }
      return new Inner<>(children, lows, size);
    }

    EntryNode<E> onlyChild() {
      return children[0];
    }

    @Override
    public int width() {
      return children.length;
    }

    @Override
    public String firstKey() {
      return lows[0];
    }

    @Override
    public @Nullable E get(String key) {
      return children[childFor(key)].get(key);
    }

    @Override
    public Inner<E> with(E entry) {
      int i = childFor(entry.key());
      EntryNode<E> child = children[i].with(entry);
      return child.width() > MAX_WIDTH
          ? replaced(i, 1, List.of(child.firstHalf(), child.secondHalf()))
          : replaced(i, child);
    }

    @Override
    public Inner<E> without(String key) {
      int i = childFor(key);
      EntryNode<E> child = children[i].without(key);
      if (child.size() == children[i].size()) {
        return this;
      }
      if (child.width() == 0) {
        return replaced(i, 1, List.of());
      }
      if (child.width() >= MIN_WIDTH || children.length == 1) {
        return replaced(i, child);
      }
      int left = i == 0 ? 0 : i - 1;
      EntryNode<E> both =
          i == 0
              ? child.joinedWith(lows[1], children[1])
              : children[left].joinedWith(lows[i], child);
      return both.width() > MAX_WIDTH
          ? replaced(left, 2, List.of(both.firstHalf(), both.secondHalf()))
          : replaced(left, 2, List.of(both));
    }

    @Override
    public int rank(String key) {
      int i = childFor(key);
      int rank = children[i].rank(key);
      for (int before = 0; before < i; before++) {
        rank += children[before].size();
      }
      return rank;
    }

    @Override
    public int copyFrom(String from, E[] target, int filled) {
      int at = filled;
      for (int i = filled > 0 ? 0 : childFor(from);
          i < children.length && at < target.length;
          i++) {
        at = children[i].copyFrom(from, target, at);
      }
      return at;
    }

    @Override
    public Inner<E> firstHalf() {
      int half = children.length / 2;
      return of(Arrays.copyOf(children, half), Arrays.copyOf(lows, half));
    }

    @Override
    public Inner<E> secondHalf() {
      int half = children.length / 2;
      return of(
          Arrays.copyOfRange(children, half, children.length),
          Arrays.copyOfRange(lows, half, lows.length));
    }

    @Override
    public Inner<E> joinedWith(String separator, EntryNode<E> right) {
      Inner<E> more = (Inner<E>) right;
      EntryNode<E>[] all = Arrays.copyOf(children, children.length + more.children.length);
      System.arraycopy(more.children, 0, all, children.length, more.children.length);
      String[] allLows = Arrays.copyOf(lows, all.length);
      System.arraycopy(more.lows, 0, allLows, lows.length, more.lows.length);
      allLows[lows.length] = separator;
      return new Inner<>(all, allLows, size + more.size);
    }

    /** One child in place of another that it grew out of; the separators still hold. */
    private Inner<E> replaced(int i, EntryNode<E> child) {
      EntryNode<E>[] copy = children.clone();
      copy[i] = child;
      return new Inner<>(copy, lows, size + child.size() - children[i].size());
    }

    private Inner<E> replaced(int from, int count, List<EntryNode<E>> by) {
      int length = children.length - count + by.size();
      EntryNode<E>[] newChildren = Arrays.copyOf(children, length);
      String[] newLows = Arrays.copyOf(lows, length);
      int rest = from + count;
      System.arraycopy(children, rest, newChildren, from + by.size(), children.length - rest);
      System.arraycopy(lows, rest, newLows, from + by.size(), children.length - rest);
      for (int i = 0; i < by.size(); i++) {
        newChildren[from + i] = by.get(i);
        if (i > 0) {
          newLows[from + i] = by.get(i).firstKey();
        }
      }
      return of(newChildren, newLows);
    }

    /** The last child whose separator is not above the key. */
    private int childFor(String key) {
      int low = 1;
      int high = children.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (lows[middle].compareTo(key) <= 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return low - 1;
    }
  }
}
