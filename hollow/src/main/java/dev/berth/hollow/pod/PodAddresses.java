package dev.berth.hollow.pod;

import dev.berth.model.tree.JsonObject;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of a node's pods: from the ranges that the node was given, or, while it has none,
 * from one of its own within 10.128.0.0/9, which no other hollow node uses.
 */
public final class PodAddresses {
  /** Addresses of a node that was given no range: 65,536 nodes have 128 each. */
  private static final int OWN_RANGE = 128;

  /** Two and more groups of zeros, with the colons around them. */
  private static final Pattern ZEROS = Pattern.compile("(?:(?<![0-9a-f:])|:)0(?::0)+(?::|$)");

  private static final long FIRST_OWN = 0x0A80_0000L;
  private static final int OWN_NODES = 1 << 16;

  private final int node;
  private final BitSet taken = new BitSet();

  /**
   * @param node the number of the node
   */
  public PodAddresses(int node) {
    this.node = node % OWN_NODES;
  }

  /** Takes a free place, to be {@linkplain #release released}. */
  public int take() {
    int place = taken.nextClearBit(0);
    taken.set(place);
    return place;
  }

  public void release(int place) {
    taken.clear(place);
  }

  /**
   * Takes the place of a pod that has its addresses already, as far as it is one of these.
   *
   * @return the place, or -1 if the address is from somewhere else
   */
  public int keep(String address, JsonObject nodeSpec) {
    String first = at(0, nodeSpec).getFirst();
    BigInteger distance = number(address).subtract(number(first));
    if (distance.signum() < 0 || distance.bitLength() >= Short.SIZE) {
      return -1;
    }
    taken.set(distance.intValue());
    return distance.intValue();
  }

  private static BigInteger number(String address) {
    return new BigInteger(1, InetAddress.ofLiteral(address).getAddress());
  }

  /** The addresses of a place: one of each family that the node has a range of. */
  public List<String> at(int place, JsonObject nodeSpec) {
    List<String> ranges = new ArrayList<>(nodeSpec.array("podCIDRs").texts());
    String only = nodeSpec.text("podCIDR", "");
    if (ranges.isEmpty() && !only.isEmpty()) {
      ranges.add(only);
    }
    if (ranges.isEmpty()) {
      // The first address of a range names the range, and the second is its gateway's.
      return List.of(text(BigInteger.valueOf(own(place)), 4));
    }
    return ranges.stream().map(range -> within(range, place)).toList();
  }

  private long own(int place) {
    return FIRST_OWN + (long) node * OWN_RANGE + 2 + place;
  }

  private static String within(String range, int place) {
    String first = range.substring(0, Math.max(0, range.indexOf('/')));
    byte[] bytes = InetAddress.ofLiteral(first).getAddress();
    return text(new BigInteger(1, bytes).add(BigInteger.valueOf(2L + place)), bytes.length);
  }

  private static String text(BigInteger address, int length) {
    byte[] bytes = new byte[length];
    byte[] number = address.toByteArray();
    int copied = Math.min(length, number.length);
    System.arraycopy(number, number.length - copied, bytes, length - copied, copied);
    try {
      String text = InetAddress.getByAddress(bytes).getHostAddress();
      return length == 4 ? text : shortened(text);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(length + " bytes are no address", e);
    }
  }

  /** As RFC 5952 writes it: the longest row of zeros, the first of several, is left out. */
  private static String shortened(String text) {
    String longest = "";
    int at = 0;
    Matcher row = ZEROS.matcher(text);
    while (row.find()) {
      if (row.group().length() > longest.length()) {
        longest = row.group();
        at = row.start();
      }
    }
    return longest.isEmpty()
        ? text
        : text.substring(0, at) + "::" + text.substring(at + longest.length());
  }
}
