package dev.berth.policy.cpumanager;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** A set of numbers, of processors mostly. Immutable. */
public final class CpuSet {
  public static final CpuSet EMPTY = new CpuSet(new BitSet());

  /** No machine has more; a list from a file must not fill the memory. */
  private static final int HIGHEST = 1 << 16;

  private final BitSet bits;

  private CpuSet(BitSet bits) {
    this.bits = bits;
  }

  public static CpuSet of(int... numbers) {
    BitSet bits = new BitSet();
    for (int number : numbers) {
      bits.set(number);
    }
    return new CpuSet(bits);
  }

  public static CpuSet of(Collection<Integer> numbers) {
    return of(numbers.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Reads a list such as {@code 0-3,8}; an empty text is the empty set.
   *
   * @throws IllegalArgumentException if it is no such list
   */
  public static CpuSet parse(String text) {
    BitSet bits = new BitSet();
    if (text.isEmpty()) {
      return EMPTY;
    }
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = number(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : number(part.substring(dash + 1));
      if (first > last) {
        throw new IllegalArgumentException(
            "invalid range \"%s\" (%d > %d)".formatted(part, first, last));
      }
      bits.set(first, last + 1);
    }
    return new CpuSet(bits);
  }

  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= HIGHEST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "strconv.Atoi: parsing \"%s\": invalid syntax".formatted(text));
  }

  public int size() {
    return bits.cardinality();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public boolean contains(int number) {
    return bits.get(number);
  }

  /** In ascending order. */
  public List<Integer> list() {
    return bits.stream().boxed().toList();
  }

  public CpuSet union(CpuSet other) {
    BitSet both = copy();
    both.or(other.bits);
    return new CpuSet(both);
  }

  public CpuSet minus(CpuSet other) {
    BitSet left = copy();
    left.andNot(other.bits);
    return new CpuSet(left);
  }

  public CpuSet intersection(CpuSet other) {
    BitSet both = copy();
    both.and(other.bits);
    return new CpuSet(both);
  }

  private BitSet copy() {
    return (BitSet) bits.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && set.bits.equals(bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** As the kernel writes it: {@code 0-3,8}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int end = bits.nextClearBit(first);
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (end - 1 > first) {
        text.append('-').append(end - 1);
      }
      first = bits.nextSetBit(end);
    }
    return text.toString();
  }
}
