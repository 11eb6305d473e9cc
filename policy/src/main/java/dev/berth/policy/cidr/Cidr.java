package dev.berth.policy.cidr;

import java.util.Optional;

/**
 * A range of addresses: those that begin with the same bits. Both families are kept alike, with the
 * address's first bit as the first of 128, so that all that is done with them is the same.
 *
 * @param high the first 64 bits of the lowest address; an IPv4 address has the first 32 of them
 * @param low the other 64 bits
 * @param length how many bits all addresses share
 */
public record Cidr(Family family, long high, long low, int length) {

  /** The kinds of addresses. */
  public enum Family {
    IPV4("IPv4", 32),
    IPV6("IPv6", 128);

    private final String word;
    private final int bits;

    Family(String word, int bits) {
      this.word = word;
      this.bits = bits;
    }

    /** How long an address is. */
    public int bits() {
      return bits;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  public Cidr {
    if (length < 0 || length > family.bits()) {
      throw new IllegalArgumentException("no %s range has /%d".formatted(family, length));
    }
    high &= firstBits(length);
    low &= firstBits(length - Long.SIZE);
  }

  /**
   * Reads {@code 10.1.0.0/16} or {@code fd00:1::/48}. Bits beyond the length are ignored, as
   * upstream does. Empty if the text is something else.
   */
  public static Optional<Cidr> parse(String text) {
    return CidrText.parse(text);
  }

  /** An address as a range of its own: {@code 10.1.2.3} is {@code 10.1.2.3/32}. */
  public static Optional<Cidr> parseAddress(String text) {
    return text.indexOf('/') >= 0
        ? Optional.empty()
        : CidrText.parse(text + (text.indexOf(':') >= 0 ? "/128" : "/32"));
  }

  /** The lowest address as everybody writes it. */
  public String address() {
    String text = toString();
    return text.substring(0, text.indexOf('/'));
  }

  /** Whether the lowest address is an IPv4 one in the form of IPv6. */
  public boolean isMappedIpv4() {
    return family == Family.IPV6 && high == 0 && low >>> 32 == 0xffff;
  }

  /** Whether all addresses of another range are in this one. */
  public boolean contains(Cidr other) {
    return length <= other.length && overlaps(other);
  }

  /** A mask of the first bits of 64. */
  private static long firstBits(int count) {
    return count <= 0 ? 0 : -1L << (Long.SIZE - Math.min(count, Long.SIZE));
  }

  /** Whether an address is in both. */
  public boolean overlaps(Cidr other) {
    int shared = Math.min(length, other.length);
    return family == other.family
        && ((high ^ other.high) & firstBits(shared)) == 0
        && ((low ^ other.low) & firstBits(shared - Long.SIZE)) == 0;
  }

  /** The number that the bits after the first ones make, up to a length; they are fewer than 32. */
  int number(int after, int upTo) {
    int beyond = 2 * Long.SIZE - upTo;
    long shifted;
    if (beyond >= 2 * Long.SIZE) {
      return 0;
    } else if (beyond >= Long.SIZE) {
      shifted = high >>> (beyond - Long.SIZE);
    } else {
      shifted = beyond == 0 ? low : (low >>> beyond) | (high << (Long.SIZE - beyond));
    }
    return (int) (shifted & ((1L << (upTo - after)) - 1));
  }

  /** The range within this one whose further bits, up to a length, make a number. */
  Cidr within(int number, int upTo) {
    int beyond = 2 * Long.SIZE - upTo;
    long newHigh = high;
    long newLow = low;
    if (beyond >= 2 * Long.SIZE) {
      return this;
    } else if (beyond >= Long.SIZE) {
      newHigh |= (long) number << (beyond - Long.SIZE);
    } else {
      newLow |= (long) number << beyond;
      newHigh |= beyond == 0 ? 0 : (long) number >>> (Long.SIZE - beyond);
    }
    return new Cidr(family, newHigh, newLow, upTo);
  }

  @Override
  public String toString() {
    return CidrText.format(this);
  }
}
