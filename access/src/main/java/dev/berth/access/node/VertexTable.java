package dev.berth.access.node;

import java.util.Arrays;

/**
 * Numbers for objects, so that what is known of millions of them fits into arrays: an object is a
 * kind, the number of its namespace, and a name. A number is given out when an object is first used
 * and taken back when its last user lets go of it.
 *
 * <p>An open hash table with linear probing. Names are chosen by users, who must not be able to
 * choose those that collide: the hash is a polynomial over a secret point, modulo a prime, which
 * makes any two names collide with a probability below 2<sup>-52</sup>.
 *
 * <p>Not for several threads at once while something is added or let go.
 */
final class VertexTable {
  static final int NONE = -1;

  private static final long PRIME = (1L << 61) - 1;
  private static final int LEAST = 64;

  private final long point;

  /** By the place that a hash leads to: the number and one more, zero where there is none. */
  private int[] places = new int[LEAST];

  private byte[] kinds = new byte[LEAST / 2];
  private int[] parents = new int[LEAST / 2];
  private String[] names = new String[LEAST / 2];

  /** How many use it; for numbers that are free, the next one that is. */
  private int[] uses = new int[LEAST / 2];

  private int size;
  private int unused;
  private int free = NONE;

  /**
   * Begins an empty one.
   *
   * @param secret a number that nobody can guess
   */
  VertexTable(long secret) {
    this.point = Math.floorMod(secret, PRIME - 256) + 256;
  }

  /** The number of an object, or NONE. */
  int find(int kind, int parent, String name) {
    for (int place = begin(kind, parent, name); ; place = next(place)) {
      int number = places[place] - 1;
      if (number == NONE || is(number, kind, parent, name)) {
        return number;
      }
    }
  }

  /** The number of an object, which has one more user now. */
  int use(int kind, int parent, String name) {
    int found = find(kind, parent, name);
    if (found != NONE) {
      uses[found]++;
      return found;
    }
    if (2 * (size + 1) > places.length) {
      rehash();
    }
    int number = take();
    kinds[number] = (byte) kind;
    parents[number] = parent;
    names[number] = name;
    uses[number] = 1;
    size++;
    place(number);
    return number;
  }

  /** Lets go of an object; returns whether that was its last user. */
  boolean release(int number) {
    if (--uses[number] > 0) {
      return false;
    }
    remove(number);
    names[number] = "";
    uses[number] = free;
    free = number;
    size--;
    return true;
  }

  int kind(int number) {
    return kinds[number];
  }

  int parent(int number) {
    return parents[number];
  }

  /** How many objects there are. */
  int size() {
    return size;
  }

  /** All numbers are below this one. */
  int capacity() {
    return kinds.length;
  }

  private boolean is(int number, int kind, int parent, String name) {
    return kinds[number] == kind && parents[number] == parent && names[number].equals(name);
  }

  private int take() {
    if (free != NONE) {
      int number = free;
      free = uses[number];
      return number;
    }
    if (unused == kinds.length) {
      int more = unused + unused / 2;
      kinds = Arrays.copyOf(kinds, more);
      parents = Arrays.copyOf(parents, more);
      names = Arrays.copyOf(names, more);
      uses = Arrays.copyOf(uses, more);
    }
    return unused++;
  }

  private void place(int number) {
    int place = begin(number);
    while (places[place] != 0) {
      place = next(place);
    }
    places[place] = number + 1;
  }

  /** Those behind it move up, so that no search ends at the hole. */
  private void remove(int number) {
    int hole = begin(number);
    while (places[hole] != number + 1) {
      hole = next(hole);
    }
    for (int place = next(hole); places[place] != 0; place = next(place)) {
      int wanted = begin(places[place] - 1);
      if (((place - wanted) & (places.length - 1)) >= ((place - hole) & (places.length - 1))) {
        places[hole] = places[place];
        hole = place;
      }
    }
    places[hole] = 0;
  }

  private void rehash() {
    int[] before = places;
    places = new int[before.length * 2];
    for (int occupied : before) {
      if (occupied != 0) {
        place(occupied - 1);
      }
    }
  }

  private int next(int place) {
    return (place + 1) & (places.length - 1);
  }

  private int begin(int number) {
    return begin(kinds[number], parents[number], names[number]);
  }

  private int begin(int kind, int parent, String name) {
    long hash = step(kind, parent + 1L);
    for (int i = 0; i < name.length(); i++) {
      hash = step(hash, name.charAt(i) + 1L);
    }
    return (int) (hash ^ (hash >>> 32)) & (places.length - 1);
  }

  /** The polynomial with one more coefficient, modulo the prime 2^61 - 1. */
  private long step(long hash, long coefficient) {
    long high = Math.multiplyHigh(hash, point);
    long low = hash * point;
    long product = (low & PRIME) + ((low >>> 61) | (high << 3));
    long reduced = (product & PRIME) + (product >>> 61) + coefficient;
    return reduced >= PRIME ? reduced - PRIME : reduced;
  }
}
