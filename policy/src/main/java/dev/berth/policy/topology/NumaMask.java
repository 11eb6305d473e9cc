package dev.berth.policy.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A set of NUMA nodes.
 *
 * @param bits one for each node, the lowest for node 0
 */
public record NumaMask(long bits) implements Comparable<NumaMask> {
  /** Upstream's limit, too. */
  public static final int MOST_NODES = 64;

  public static NumaMask of(int... nodes) {
    long bits = 0;
    for (int node : nodes) {
      bits |= bit(node);
    }
    return new NumaMask(bits);
  }

  public static NumaMask of(Collection<Integer> nodes) {
    return of(nodes.stream().mapToInt(Integer::intValue).toArray());
  }

  private static long bit(int node) {
    if (node < 0 || node >= MOST_NODES) {
      throw new IllegalArgumentException("not a NUMA node from 0 to 63: " + node);
    }
    return 1L << node;
  }

  public int count() {
    return Long.bitCount(bits);
  }

  public boolean has(int node) {
    return node >= 0 && node < MOST_NODES && (bits & bit(node)) != 0;
  }

  public boolean hasAll(NumaMask others) {
    return (bits & others.bits) == others.bits;
  }

  /** In ascending order. */
  public List<Integer> nodes() {
    List<Integer> nodes = new ArrayList<>(count());
    for (long left = bits; left != 0; left &= left - 1) {
      nodes.add(Long.numberOfTrailingZeros(left));
    }
    return nodes;
  }

  /** Narrower first: fewer nodes, and of as many, those with the lower numbers. */
  @Override
  public int compareTo(NumaMask other) {
    return count() == other.count()
        ? Long.compareUnsigned(bits, other.bits)
        : Integer.compare(count(), other.count());
  }

  /** Tells of each set that is not empty, smaller ones first. */
  public static void forEachSubset(List<Integer> nodes, Consumer<NumaMask> consumer) {
    for (int size = 1; size <= nodes.size(); size++) {
      subsets(nodes, 0, size, 0, consumer);
    }
  }

  private static void subsets(
      List<Integer> nodes, int from, int size, long bits, Consumer<NumaMask> consumer) {
    if (size == 0) {
      consumer.accept(new NumaMask(bits));
      return;
    }
    for (int i = from; i <= nodes.size() - size; i++) {
      subsets(nodes, i + 1, size - 1, bits | bit(nodes.get(i)), consumer);
    }
  }

  /** As the kernel writes a list: {@code 0,2}. */
  @Override
  public String toString() {
    return nodes().stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
