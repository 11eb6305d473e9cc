package dev.berth.policy.cidr;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which ranges of a cluster's addresses are taken, a bit for each. The next one that is free is
 * given out, round and round, so that one that was released rests as long as possible, as upstream.
 *
 * <p>Unlike upstream, a range can be taken several times, by nodes that were given overlapping ones
 * by hand: it is free again when all have released it, not when the first does.
 */
public final class CidrSet {
  private final NodeRange range;
  private final BitSet taken;

  /** How often a range was taken beyond the first time; seldom is any. */
  private final Map<Integer, Integer> takenAgain = new HashMap<>();

  private int next;
  private int used;

  /** What was found where something is to be taken. */
  public enum Found {
    /** None of the addresses is in the cluster's range. */
    OUTSIDE,
    FREE,
    /** Some of it had been taken. */
    TAKEN
  }

  public CidrSet(NodeRange range) {
    this.range = range;
    this.taken = new BitSet(range.size());
  }

  public NodeRange range() {
    return range;
  }

  /** How many ranges are taken. */
  public int used() {
    return used;
  }

  /** Takes the next free range; empty if there is none. */
  public Optional<Cidr> take() {
    if (used == range.size()) {
      return Optional.empty();
    }
    int free = taken.nextClearBit(next);
    int found = free < range.size() ? free : taken.nextClearBit(0);
    taken.set(found);
    used++;
    next = (found + 1) % range.size();
    return Optional.of(range.cluster().within(found, range.nodeLength()));
  }

  /** Takes what somebody has, whether it is free or not, and of whatever length. */
  public Found take(Cidr cidr) {
    if (!range.cluster().overlaps(cidr)) {
      return Found.OUTSIDE;
    }
    Found found = Found.FREE;
    for (int i = first(cidr); i <= last(cidr); i++) {
      if (taken.get(i)) {
        takenAgain.merge(i, 1, Integer::sum);
        found = Found.TAKEN;
      } else {
        taken.set(i);
        used++;
      }
    }
    return found;
  }

  /** Gives back what was taken, once. */
  public void release(Cidr cidr) {
    if (!range.cluster().overlaps(cidr)) {
      return;
    }
    for (int i = first(cidr); i <= last(cidr); i++) {
      Integer again = takenAgain.get(i);
      if (again == null) {
        used -= taken.get(i) ? 1 : 0;
        taken.clear(i);
      } else if (again == 1) {
        takenAgain.remove(i);
      } else {
        takenAgain.put(i, again - 1);
      }
    }
  }

  private int first(Cidr cidr) {
    return cidr.length() <= range.cluster().length()
        ? 0
        : cidr.number(range.cluster().length(), range.nodeLength());
  }

  private int last(Cidr cidr) {
    if (cidr.length() <= range.cluster().length()) {
      return range.size() - 1;
    }
    int shorter = Math.max(0, range.nodeLength() - cidr.length());
    return first(cidr) | ((1 << shorter) - 1);
  }
}
