package dev.berth.model.tree;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Where each of very many names is. Sorted by hash and then by name, and searched by halves: names
 * that somebody made to have the same hash cost a few comparisons more, and no names cost a look at
 * all of them. Eight bytes for each name.
 */
final class NameIndex {
  private final String[] names;

  /** The hash of a name in the upper half, its place in the lower. */
  private final long[] places;

  NameIndex(String[] names) {
    this.names = names;
    this.places = new long[names.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = ((long) names[i].hashCode() << Integer.SIZE) | i;
    }
    Arrays.sort(places);
    int from = 0;
    for (int to = 1; to <= places.length; to++) {
      if (to == places.length || hash(places[to]) != hash(places[from])) {
        sortByName(from, to);
        from = to;
      }
    }
  }

  /** Names of one hash, of which there are few unless somebody looked for them. */
  private void sortByName(int from, int to) {
    if (to - from > 1) {
      long[] sorted =
          Arrays.stream(places, from, to)
              .boxed()
              .sorted(Comparator.comparing(this::name))
              .mapToLong(Long::longValue)
              .toArray();
      System.arraycopy(sorted, 0, places, from, sorted.length);
    }
  }

  private static int hash(long place) {
    return (int) (place >> Integer.SIZE);
  }

  private String name(long place) {
    return names[(int) place];
  }

  /** Where a name is; negative if it is not there. */
  int find(String name) {
    int hash = name.hashCode();
    int low = 0;
    int high = places.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long place = places[middle];
      int order = Integer.compare(hash(place), hash);
      order = order == 0 ? name(place).compareTo(name) : order;
      if (order == 0) {
        return (int) place;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
