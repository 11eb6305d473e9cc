package dev.berth.policy.topology;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the NUMA nodes on which everything that a container asks for can be had together.
 *
 * <p>One hint is taken for each resource. The nodes that all of them share are a candidate; it is
 * preferred if all hints are, and name the same nodes. The best candidate is one that is preferred,
 * and of those the narrowest; else one with as many nodes as the resource needs that needs the
 * most, or, if there is none, with fewer but as many as possible, or with more but as few as
 * possible.
 *
 * <p>There are as many ways to take hints as the product of their numbers: four billion for four
 * resources on eight nodes. But the order above is total and looks at nothing but the shared nodes,
 * so it is enough to know which sets of nodes can be reached, not how:
 *
 * <ul>
 *   <li>A preferred candidate names nodes that each resource names in a preferred hint.
 *   <li>Without one, every candidate is not preferred. Which nodes can be shared is found resource
 *       by resource: {@code f} and {@code g} say which sets can be reached by two groups of
 *       resources. The sum of {@code f} over all supersets of a set, times the same of {@code g},
 *       is the sum over supersets of how often each can be shared (as with a convolution, the sums
 *       of which multiply); undoing the sums gives the numbers, and those above zero can be
 *       reached. With {@code n} nodes that takes {@code n * 2^n} additions. Numbers are made 0 or 1
 *       after each resource, so they stay below {@code 2^2n} and are exact.
 * </ul>
 */
final class HintMerge {
  /** With more nodes, tables are larger than the few hints that such a machine can have. */
  private static final int MOST_TABLED_NODES = 16;

  private final NumaNodes nodes;
  private final Comparator<NumaMask> fitter;

  /**
   * @param fitter the better of two sets of nodes first
   */
  HintMerge(NumaNodes nodes, Comparator<NumaMask> fitter) {
    this.nodes = nodes;
    this.fitter = fitter;
  }

  /**
   * The best hint.
   *
   * @param resources the hints of each; a resource without any cannot be had
   */
  TopologyHint merge(List<List<TopologyHint>> resources) {
    TopologyHint nothing = TopologyHint.of(nodes.all(), false);
    if (resources.stream().anyMatch(List::isEmpty)) {
      return nothing;
    }
    Optional<NumaMask> preferred = candidates(preferred(resources)).min(fitter);
    if (preferred.isPresent()) {
      return TopologyHint.of(preferred.get(), true);
    }
    return candidates(shared(resources))
        .min(byCount(mostOfLeast(resources)).thenComparing(fitter))
        .map(mask -> TopologyHint.of(mask, false))
        .orElse(nothing);
  }

  private static Stream<NumaMask> candidates(Collection<Long> masks) {
    return masks.stream().filter(bits -> bits != 0).map(NumaMask::new);
  }

  /** The sets of nodes that all resources name, or do not care about, in preferred hints. */
  private Set<Long> preferred(List<List<TopologyHint>> resources) {
    Set<Long> named = new HashSet<>();
    boolean isFirst = true;
    for (List<TopologyHint> hints : resources) {
      if (!hints.contains(TopologyHint.ANYWHERE)) {
        Set<Long> own = new HashSet<>();
        hints.stream()
            .filter(TopologyHint::isPreferred)
            .flatMap(hint -> hint.affinity().stream())
            .forEach(mask -> own.add(mask.bits()));
        if (isFirst) {
          named.addAll(own);
        } else {
          named.retainAll(own);
        }
        isFirst = false;
      }
    }
    Set<Long> known = new HashSet<>();
    if (isFirst) {
      known.add(nodes.all().bits());
    }
    named.forEach(bits -> known.add(bits & nodes.all().bits()));
    return known;
  }

  /** How many nodes the resource needs at least that needs the most. */
  private static int mostOfLeast(List<List<TopologyHint>> resources) {
    return resources.stream()
        .mapToInt(hints ->
            hints.stream()
                .flatMap(hint -> hint.affinity().stream())
                .mapToInt(NumaMask::count)
                .min()
                .orElse(0))
        .max()
        .orElse(0);
  }

  private static Comparator<NumaMask> byCount(int wanted) {
    return Comparator.comparingInt(mask -> {
      int count = mask.count();
      return count <= wanted ? wanted - count : NumaMask.MOST_NODES + count;
    });
  }

  /** All sets of nodes that hints can share, one of each resource. */
  private Collection<Long> shared(List<List<TopologyHint>> resources) {
    long all = nodes.all().bits();
    return Long.bitCount(all) > MOST_TABLED_NODES
        ? sharedOneByOne(resources, all)
        : sharedByTables(resources, all);
  }

  private static Set<Long> sharedOneByOne(List<List<TopologyHint>> resources, long all) {
    Set<Long> shared = Set.of(all);
    for (List<TopologyHint> hints : resources) {
      Set<Long> next = new HashSet<>();
      for (TopologyHint hint : hints) {
        long mask = bits(hint, all);
        shared.forEach(bits -> next.add(bits & mask));
      }
      shared = next;
    }
    return shared;
  }

  private static Set<Long> sharedByTables(List<List<TopologyHint>> resources, long all) {
    int count = Long.bitCount(all);
    long[] shared = new long[1 << count];
    shared[shared.length - 1] = 1;
    for (List<TopologyHint> hints : resources) {
      long[] own = new long[shared.length];
      hints.forEach(hint -> own[(int) Long.compress(bits(hint, all), all)] = 1);
      sumSupersets(shared, count, 1);
      sumSupersets(own, count, 1);
      for (int i = 0; i < shared.length; i++) {
        shared[i] *= own[i];
      }
      sumSupersets(shared, count, -1);
      for (int i = 0; i < shared.length; i++) {
        shared[i] = Math.min(shared[i], 1);
      }
    }
    Set<Long> masks = new HashSet<>();
    for (int i = 0; i < shared.length; i++) {
      if (shared[i] > 0) {
        masks.add(Long.expand(i, all));
      }
    }
    return masks;
  }

  private static long bits(TopologyHint hint, long all) {
    return hint.affinity().map(NumaMask::bits).orElse(all) & all;
  }

  /** Adds to each set what all sets have that hold it; or, with -1, takes it away again. */
  private static void sumSupersets(long[] table, int count, int sign) {
    for (int bit = 1; bit < 1 << count; bit <<= 1) {
      for (int set = 0; set < table.length; set++) {
        if ((set & bit) == 0) {
          table[set] += sign * table[set | bit];
        }
      }
    }
  }
}
