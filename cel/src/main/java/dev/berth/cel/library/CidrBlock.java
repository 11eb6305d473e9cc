package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;

/** An address and how many of its bits are a network's. */
record CidrBlock(IpAddress address, int bits) implements TypedValue {
  static final CelType TYPE = CelType.opaque("net.CIDR");

  static CidrBlock parse(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      throw invalid("netip.ParsePrefix(" + GoNumbers.quote(text) + "): no '/'");
    }
    IpAddress address;
    try {
      address = IpAddress.parse(text.substring(0, slash));
    } catch (CelException e) {
      if (e.reason().startsWith("IPv4-mapped")) {
        throw invalid("IPv4-mapped IPv6 address " + GoNumbers.quote(text) + " is not allowed");
      }
      int detail = e.reason().indexOf("ParseAddr(");
      throw invalid(
          "netip.ParsePrefix("
              + GoNumbers.quote(text)
              + "): "
              + e.reason().substring(Math.max(0, detail)));
    }
    String length = text.substring(slash + 1);
    boolean plain =
        !length.isEmpty()
            && length.length() <= 3
            && length.chars().allMatch(c -> c >= '0' && c <= '9')
            && (length.length() == 1 || !length.startsWith("0"));
    if (!plain) {
      throw invalid(
          "netip.ParsePrefix("
              + GoNumbers.quote(text)
              + "): bad bits after slash: "
              + GoNumbers.quote(length));
    }
    int bits = Integer.parseInt(length);
    if (bits > 8 * address.bytes().length) {
      throw invalid("netip.ParsePrefix(" + GoNumbers.quote(text) + "): prefix length out of range");
    }
    return new CidrBlock(address, bits);
  }

  private static CelException invalid(String why) {
    String prefix = "network address parse error during conversion from string: ";
    return new CelException(prefix + (why.startsWith("IPv4-mapped") ? "" : prefix) + why);
  }

  boolean contains(IpAddress other) {
    return other.family() == address.family() && other.masked(bits).equals(address.masked(bits));
  }

  /** Whether all addresses of another range are in this one. */
  boolean contains(CidrBlock other) {
    return bits <= other.bits && contains(other.address);
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  /** A range is as large, to the cost of calls, as its prefix is long. */
  @Override
  public long costSize() {
    return (bits + 7L) / 8;
  }

  @Override
  public String toString() {
    return address + "/" + bits;
  }
}
