package dev.berth.agent.network;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A range of addresses.
 *
 * @param first its lowest address, as a number
 * @param bytes how long an address is: 4 or 16
 * @param prefix how many bits all addresses share
 */
record Cidr(BigInteger first, int bytes, int prefix) {

  /** Reads one such as {@code 10.244.1.0/24}. */
  static Cidr parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !text.substring(0, slash).matches("[0-9a-fA-F.:]+")) {
      throw new IllegalArgumentException("not a CIDR: " + text);
    }
    try {
      byte[] address = InetAddress.getByName(text.substring(0, slash)).getAddress();
      int prefix = Integer.parseInt(text.substring(slash + 1));
      int free = 8 * address.length - prefix;
      BigInteger number = new BigInteger(1, address).shiftRight(free).shiftLeft(free);
      return new Cidr(number, address.length, prefix);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not a CIDR: " + text, e);
    }
  }

  boolean isIpv6() {
    return bytes == 16;
  }

  /** How many addresses can be given out, up to as many as a node could have pods. */
  long usable() {
    int free = Math.min(8 * bytes - prefix, 24);
    // The first is the network's own, the second the bridge's; the last of IPv4 is for all.
    return (1L << free) - (isIpv6() ? 2 : 3);
  }

  /** The bridge's address, which pods send everything through. */
  String gateway() {
    return address(1);
  }

  /** The address at a place in the range. */
  String address(long offset) {
    byte[] number = first.add(BigInteger.valueOf(offset)).toByteArray();
    byte[] padded = new byte[bytes];
    int length = Math.min(number.length, bytes);
    System.arraycopy(number, number.length - length, padded, bytes - length, length);
    try {
      InetAddress address = InetAddress.getByAddress(padded);
      return isIpv6() ? shorten(padded) : address.getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** IPv6 addresses as everybody writes them: the longest run of zeros left out. */
  private static String shorten(byte[] address) {
    int[] groups = new int[8];
    Arrays.setAll(groups, i -> (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff));
    int best = -1;
    int bestLength = 1;
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - i > bestLength) {
        best = i;
        bestLength = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == best) {
        text.append("::");
        i += bestLength - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
