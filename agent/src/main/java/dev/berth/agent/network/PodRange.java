package dev.berth.agent.network;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses that a node has for its pods, by their places in a range. */
record PodRange(Cidr cidr) {
  /** More than any node has pods. */
  private static final int LARGEST_BITS = 24;

  /** Reads one such as {@code 10.244.1.0/24}. */
  static PodRange parse(String text) {
    return new PodRange(
        Cidr.parse(text).orElseThrow(() -> new IllegalArgumentException("not a CIDR: " + text)));
  }

  boolean isIpv6() {
    return cidr.family() == Family.IPV6;
  }

  /** How many addresses can be given out, up to as many as a node could have pods. */
  long usable() {
    int free = Math.min(cidr.family().bits() - cidr.length(), LARGEST_BITS);
    // The first is the network's own, the second the bridge's; the last of IPv4 is for all.
    return (1L << free) - (isIpv6() ? 2 : 3);
  }

  /** The bridge's address, which pods send everything through. */
  String gateway() {
    return address(1);
  }

  /** The address at a place in the range. */
  String address(long place) {
    Cidr alone =
        isIpv6()
            ? new Cidr(Family.IPV6, cidr.high(), cidr.low() + place, Family.IPV6.bits())
            : new Cidr(Family.IPV4, cidr.high() + (place << Integer.SIZE), 0, Family.IPV4.bits());
    String text = alone.toString();
    return text.substring(0, text.indexOf('/'));
  }

  static InetAddress numbers(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + address, e);
    }
  }
}
