package dev.berth.policy.service;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The addresses that one range has for services. The range's own address is none of them, nor is
 * the broadcast address of an IPv4 range.
 *
 * <p>The lower ones, a sixteenth of all but at least 16 and at most 256, are left to those who
 * choose an address themselves, as long as there are others; a range of 16 addresses or less is not
 * divided.
 *
 * @param cidr an IPv6 one has a length of 64 or more, so that its addresses can be counted
 */
public record ServiceRange(Cidr cidr) {
  private static final int LEAST_STATIC = 16;
  private static final int MOST_STATIC = 256;
  private static final int STATIC_SHARE = 16;
  private static final int SHORTEST_IPV6 = 64;

  public ServiceRange {
    if (!isCountable(cidr)) {
      throw new IllegalArgumentException(
          "shortest allowed prefix length for service CIDR is 64, got " + cidr.length());
    }
  }

  /** The range of a text; empty if it is none, or too large to be used. */
  public static Optional<ServiceRange> parse(String text) {
    return Cidr.parse(text).filter(ServiceRange::isCountable).map(ServiceRange::new);
  }

  private static boolean isCountable(Cidr cidr) {
    return cidr.family() == Family.IPV4 || cidr.length() >= SHORTEST_IPV6;
  }

  public Family family() {
    return cidr.family();
  }

  /** How many addresses services can have of it, an unsigned number. */
  long size() {
    int hostBits = cidr.family().bits() - cidr.length();
    long last = hostBits == Long.SIZE ? -1L : (1L << hostBits) - 1;
    return cidr.family() == Family.IPV6 || last == 0 ? last : last - 1;
  }

  /** How many of these are left to those who choose. */
  int staticSize() {
    int hostBits = cidr.family().bits() - cidr.length();
    if (hostBits <= 4) {
      return 0;
    }
    long all = 1L << Math.min(hostBits, Integer.SIZE);
    return Math.clamp(all / STATIC_SHARE, LEAST_STATIC, MOST_STATIC);
  }

  /** One of the addresses: the first has the number 0. */
  Cidr address(long number) {
    long offset = number + 1;
    return switch (cidr.family()) {
      case IPV4 ->
          new Cidr(Family.IPV4, cidr.high() + (offset << Integer.SIZE), 0, Family.IPV4.bits());
      case IPV6 -> new Cidr(Family.IPV6, cidr.high(), cidr.low() + offset, Family.IPV6.bits());
    };
  }

  /** The first address, which is that of the service kubernetes. */
  public String first() {
    return address(0).address();
  }

  /** The address with a number, of which 0 is the first; empty if there are not so many. */
  public Optional<String> nth(int number) {
    return Long.compareUnsigned(number, size()) < 0
        ? Optional.of(address(number).address())
        : Optional.empty();
  }

  /** Whether a service can have an address of this range. */
  public boolean contains(Cidr address) {
    if (!cidr.contains(address)) {
      return false;
    }
    long offset =
        address.family() == Family.IPV4
            ? (address.high() - cidr.high()) >>> Integer.SIZE
            : address.low() - cidr.low();
    return offset != 0 && Long.compareUnsigned(offset, size()) <= 0;
  }

  /**
   * A free address: at a random place among the upper ones, or the next after it, or else the same
   * among the lower ones.
   */
  public Optional<String> choose(Predicate<String> isFree, LongSupplier random) {
    int lower = staticSize();
    return choose(lower, size() - lower, isFree, random).or(() -> choose(0, lower, isFree, random));
  }

  private Optional<String> choose(
      long from, long count, Predicate<String> isFree, LongSupplier random) {
    if (count == 0) {
      return Optional.empty();
    }
    long start = Long.remainderUnsigned(random.getAsLong(), count);
    long number = start;
    do {
      String address = address(from + number).address();
      if (isFree.test(address)) {
        return Optional.of(address);
      }
      number = number + 1 == count ? 0 : number + 1;
    } while (number != start);
    return Optional.empty();
  }

  @Override
  public String toString() {
    return cidr.toString();
  }
}
