package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An IPv4 or IPv6 address, written and read as Go's {@code net/netip} does. */
final class IpAddress implements TypedValue {
  static final CelType TYPE = CelType.opaque("net.IP");

  private final byte[] bytes;

  /** Takes the array of 4 or 16 bytes over. */
  private IpAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  static IpAddress parse(String text) {
    byte[] bytes;
    if (text.indexOf(':') >= 0) {
      if (text.indexOf('%') >= 0) {
        throw new CelException(
            "IP address " + GoNumbers.quote(text) + " with zone value is not allowed");
      }
      bytes = version6(text);
    } else if (text.indexOf('.') >= 0) {
      bytes = version4(text);
    } else {
      throw invalid(text, "unable to parse IP");
    }
    IpAddress address = new IpAddress(bytes);
    if (address.isMapped()) {
      throw new CelException(
          "IPv4-mapped IPv6 address " + GoNumbers.quote(text) + " is not allowed");
    }
    return address;
  }

  private static CelException invalid(String text, String why) {
    return new CelException(
        "IP Address %s parse error during conversion from string: ParseAddr(%s): %s"
            .formatted(GoNumbers.quote(text), GoNumbers.quote(text), why));
  }

  private static byte[] version4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      throw invalid(text, parts.length > 4 ? "IPv4 address too long" : "IPv4 address too short");
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      String part = parts[i];
      if (part.isEmpty()) {
        throw invalid(text, "IPv4 field must have at least one digit");
      }
      if (!part.chars().allMatch(c -> c >= '0' && c <= '9')) {
        throw invalid(text, "unexpected character");
      }
      if (part.length() > 1 && part.startsWith("0")) {
        throw invalid(text, "IPv4 field has octet with leading zero");
      }
      if (part.length() > 3 || Integer.parseInt(part) > 255) {
        throw invalid(text, "IPv4 field has value >255");
      }
      bytes[i] = (byte) Integer.parseInt(part);
    }
    return bytes;
  }

  private static byte[] version6(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      throw invalid(text, "multiple :: in address");
    }
    List<Byte> head = groups(text, gap < 0 ? text : text.substring(0, gap));
    List<Byte> tail = gap < 0 ? List.of() : groups(text, text.substring(gap + 2));
    int length = head.size() + tail.size();
    if (length > 16 || (gap >= 0 && length > 14)) {
      throw invalid(text, "address string too long");
    }
    if (gap < 0 && length < 16) {
      throw invalid(text, "address string too short");
    }
    byte[] bytes = new byte[16];
    for (int i = 0; i < head.size(); i++) {
      bytes[i] = head.get(i);
    }
    for (int i = 0; i < tail.size(); i++) {
      bytes[16 - tail.size() + i] = tail.get(i);
    }
    return bytes;
  }

  private static List<Byte> groups(String whole, String text) {
    List<Byte> bytes = new ArrayList<>();
    if (text.isEmpty()) {
      return bytes;
    }
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      if (part.indexOf('.') >= 0 && i == parts.length - 1) {
        for (byte b : version4(part)) {
          bytes.add(b);
        }
        continue;
      }
      if (part.isEmpty()) {
        throw invalid(whole, "each colon-separated field must have at least one digit");
      }
      if (part.length() > 4 || !part.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
        throw invalid(
            whole,
            part.length() > 4
                ? "each group must have 4 or less digits"
                : "unexpected character, want colon");
      }
      int group = Integer.parseInt(part, 16);
      bytes.add((byte) (group >> 8));
      bytes.add((byte) group);
    }
    return bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  int family() {
    return bytes.length == 4 ? 4 : 6;
  }

  private boolean isMapped() {
    return bytes.length == 16
        && allZero(0, 10)
        && bytes[10] == (byte) 0xff
        && bytes[11] == (byte) 0xff;
  }

  private boolean allZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  boolean isUnspecified() {
    return allZero(0, bytes.length);
  }

  boolean isLoopback() {
    return family() == 4 ? bytes[0] == 127 : allZero(0, 15) && bytes[15] == 1;
  }

  boolean isLinkLocalMulticast() {
    return family() == 4
        ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0
        : bytes[0] == (byte) 0xff && (bytes[1] & 0x0f) == 2;
  }

  boolean isLinkLocalUnicast() {
    return family() == 4
        ? bytes[0] == (byte) 169 && bytes[1] == (byte) 254
        : bytes[0] == (byte) 0xfe && (bytes[1] & 0xc0) == 0x80;
  }

  private boolean isMulticast() {
    return family() == 4 ? (bytes[0] & 0xf0) == 0xe0 : bytes[0] == (byte) 0xff;
  }

  boolean isGlobalUnicast() {
    boolean broadcast = family() == 4 && Arrays.equals(bytes, new byte[] {-1, -1, -1, -1});
    return !broadcast
        && !isUnspecified()
        && !isLoopback()
        && !isMulticast()
        && !isLinkLocalUnicast();
  }

  /** The address whose bits beyond the first are 0. */
  IpAddress masked(int bits) {
    byte[] masked = bytes.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.clamp(bits - 8 * i, 0, 8);
      masked[i] &= (byte) (0xff << (8 - kept));
    }
    return new IpAddress(masked);
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public long costSize() {
    return bytes.length;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IpAddress that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    if (family() == 4) {
      return (bytes[0] & 0xff)
          + "."
          + (bytes[1] & 0xff)
          + "."
          + (bytes[2] & 0xff)
          + "."
          + (bytes[3] & 0xff);
    }
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
    }
    int gapStart = -1;
    int gapLength = 1;
    for (int i = 0; i < 8; i++) {
      int end = i;
      while (end < 8 && groups[end] == 0) {
        end++;
      }
      if (end - i > gapLength) {
        gapStart = i;
        gapLength = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
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
