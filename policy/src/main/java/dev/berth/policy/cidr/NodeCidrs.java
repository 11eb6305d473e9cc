package dev.berth.policy.cidr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which nodes have which ranges.
 *
 * <ol>
 *   <li>A node that has none is offered one of each family. It is its own from then on, whether or
 *       not anybody has written it down yet, until the node is gone.
 *   <li>What a node turns out to have counts, and not what it was offered.
 *   <li>Only if there is something of each family is anything offered.
 *   <li>What is reserved, such as the addresses of services, is never offered.
 * </ol>
 */
public final class NodeCidrs {
  private final List<CidrSet> sets;
  private final List<Cidr> reserved;
  private final Map<String, Holding> holdings = new LinkedHashMap<>();

  /** What a node has, or was offered. */
  private record Holding(List<Cidr> cidrs, boolean confirmed) {}

  /** What a node gets. */
  public sealed interface Offer {
    record Given(List<Cidr> cidrs) implements Offer {}

    /** Nothing: all of a range is taken. */
    record Exhausted(NodeRange range) implements Offer {}
  }

  /** What is wrong with what a node has. */
  public sealed interface Problem {
    /** It is not within the cluster's ranges, so nobody sees to it that no other node has it. */
    record Outside(Cidr cidr, List<NodeRange> ranges) implements Problem {
      @Override
      public String toString() {
        return "its range %s is not within the cluster's %s, so that others may have it too"
            .formatted(cidr, String.join(",", ranges.stream().map(r -> "" + r.cluster()).toList()));
      }
    }

    /**
     * Somebody else has some of it.
     *
     * @param other a node; empty for what is reserved
     */
    record Shared(Cidr cidr, Optional<String> other) implements Problem {
      @Override
      public String toString() {
        return "its range %s overlaps %s"
            .formatted(cidr, other.map(node -> "that of node " + node).orElse("what is reserved"));
      }
    }
  }

  /**
   * @param ranges what to give out
   * @param reserved what not to
   */
  public NodeCidrs(List<NodeRange> ranges, List<Cidr> reserved) {
    sets = ranges.stream().map(CidrSet::new).toList();
    this.reserved = List.copyOf(reserved);
    sets.forEach(set -> reserved.forEach(set::take));
  }

  public List<CidrSet> sets() {
    return sets;
  }

  /** Whether a node is known to have something, and was not only offered it. */
  public boolean isConfirmed(String node) {
    Holding holding = holdings.get(node);
    return holding != null && holding.confirmed();
  }

  /** Takes note of what a node has. */
  public List<Problem> confirm(String node, List<Cidr> cidrs) {
    Holding before = holdings.get(node);
    boolean asOffered = before != null && before.cidrs().equals(cidrs);
    if (!asOffered) {
      release(node);
    }
    List<Problem> problems = asOffered ? List.of() : take(cidrs);
    holdings.put(node, new Holding(List.copyOf(cidrs), true));
    return problems;
  }

  private List<Problem> take(List<Cidr> cidrs) {
    List<Problem> problems = new ArrayList<>();
    for (Cidr cidr : cidrs) {
      boolean within = false;
      boolean shared = false;
      for (CidrSet set : sets) {
        switch (set.take(cidr)) {
          case OUTSIDE -> {}
          case FREE -> within = true;
          case TAKEN -> shared = true;
        }
      }
      Optional<String> other = shared ? holder(cidr) : Optional.empty();
      if (other.isPresent() || reserved.stream().anyMatch(cidr::overlaps)) {
        problems.add(new Problem.Shared(cidr, other));
      } else if (!shared && !within) {
        problems.add(new Problem.Outside(cidr, sets.stream().map(CidrSet::range).toList()));
      }
    }
    return problems;
  }

  private Optional<String> holder(Cidr cidr) {
    for (Map.Entry<String, Holding> holding : holdings.entrySet()) {
      if (holding.getValue().cidrs().stream().anyMatch(cidr::overlaps)) {
        return Optional.of(holding.getKey());
      }
    }
    return Optional.empty();
  }

  /** What a node gets that has nothing; the same however often it is asked. */
  public Offer offer(String node) {
    Holding before = holdings.get(node);
    if (before != null) {
      return new Offer.Given(before.cidrs());
    }
    List<Cidr> cidrs = new ArrayList<>();
    for (CidrSet set : sets) {
      Optional<Cidr> free = set.take();
      if (free.isEmpty()) {
        for (int i = 0; i < cidrs.size(); i++) {
          sets.get(i).release(cidrs.get(i));
        }
        return new Offer.Exhausted(set.range());
      }
      cidrs.add(free.get());
    }
    holdings.put(node, new Holding(List.copyOf(cidrs), false));
    return new Offer.Given(List.copyOf(cidrs));
  }

  /**
   * Gives back what a node had, once it is gone.
   *
   * @return what it had
   */
  public List<Cidr> release(String node) {
    Holding holding = holdings.remove(node);
    if (holding == null) {
      return List.of();
    }
    holding.cidrs().forEach(cidr -> sets.forEach(set -> set.release(cidr)));
    return holding.cidrs();
  }
}
