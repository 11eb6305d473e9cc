package dev.berth.policy.cidr;

import dev.berth.policy.cidr.Cidr.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** How ranges are written: addresses as everybody writes them, IPv6 ones as RFC 5952 says. */
final class CidrText {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final int GROUPS = 8;
  private static final int LONGEST = 64;

  private CidrText() {}

  static Optional<Cidr> parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || text.length() > LONGEST) {
      return Optional.empty();
    }
    String address = text.substring(0, slash);
    int bits = decimal(text, slash + 1, text.length());
    if (bits < 0) {
      return Optional.empty();
    }
    Family family = address.contains(":") ? Family.IPV6 : Family.IPV4;
    List<Integer> groups = family == Family.IPV6 ? ipv6(address) : ipv4(address);
    if (groups.isEmpty() || bits > family.bits()) {
      return Optional.empty();
    }
    return Optional.of(new Cidr(family, half(groups, 0), half(groups, GROUPS / 2), bits));
  }

  /** 64 bits from four groups of 16; those that are not there are 0. */
  private static long half(List<Integer> groups, int from) {
    long bits = 0;
    for (int i = from; i < from + GROUPS / 2; i++) {
      bits = bits << 16 | (i < groups.size() ? groups.get(i) : 0);
    }
    return bits;
  }

  /**
   * An IPv4 address as two groups of 16 bits; none if it is no such address. Read without a
   * pattern, since each change of a pod's status is checked for its addresses.
   */
  private static List<Integer> ipv4(String text) {
    int bits = 0;
    int from = 0;
    for (int i = 0; i < 4; i++) {
      int to = i < 3 ? text.indexOf('.', from) : text.length();
      int number = to < 0 ? -1 : decimal(text, from, to);
      if (number < 0 || number > 255) {
        return List.of();
      }
      bits = bits << 8 | number;
      from = to + 1;
    }
    return List.of(bits >>> 16, bits & 0xffff);
  }

  /** The number that one to three digits say; negative if there is anything else. */
  private static int decimal(String text, int from, int to) {
    if (to <= from || to - from > 3) {
      return -1;
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /** An IPv6 address as eight groups; none if it is no such address. */
  private static List<Integer> ipv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      List<Integer> all = groups(text);
      return all.size() == GROUPS ? all : List.of();
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    List<Integer> first = before.isEmpty() ? List.of() : groups(before);
    List<Integer> last = after.isEmpty() ? List.of() : groups(after);
    boolean broken =
        (first.isEmpty() && !before.isEmpty())
            || (last.isEmpty() && !after.isEmpty())
            || before.contains(".")
            || first.size() + last.size() >= GROUPS;
    if (broken) {
      return List.of();
    }
    List<Integer> all = new ArrayList<>(first);
    while (all.size() < GROUPS - last.size()) {
      all.add(0);
    }
    all.addAll(last);
    return all;
  }

  /** Groups between colons, of which the last may be an IPv4 address; none if one is wrong. */
  private static List<Integer> groups(String text) {
    List<Integer> groups = new ArrayList<>();
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      if (HEX.matcher(parts[i]).matches()) {
        groups.add(Integer.parseInt(parts[i], 16));
        continue;
      }
      List<Integer> embedded = i == parts.length - 1 ? ipv4(parts[i]) : List.of();
      if (embedded.isEmpty()) {
        return List.of();
      }
      groups.addAll(embedded);
    }
    return groups;
  }

  static String format(Cidr cidr) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      long half = i < GROUPS / 2 ? cidr.high() : cidr.low();
      groups[i] = (int) (half >>> (16 * (GROUPS / 2 - 1 - i % (GROUPS / 2)))) & 0xffff;
    }
    String address =
        switch (cidr.family()) {
          case IPV4 ->
              "%d.%d.%d.%d"
                  .formatted(groups[0] >> 8, groups[0] & 0xff, groups[1] >> 8, groups[1] & 0xff);
          case IPV6 -> ipv6(groups);
        };
    return address + "/" + cidr.length();
  }

  /** The longest run of zeros, if there are two or more, is left out; the first of equals. */
  private static String ipv6(int[] groups) {
    int gap = GROUPS;
    int longest = 1;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - i > longest) {
        gap = i;
        longest = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == gap) {
        text.append("::");
        i += longest - 1;
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
            .append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
