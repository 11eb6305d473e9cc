package dev.berth.customresources.schema;

/** Internet addresses as Go reads them in Kubernetes: leading zeros are let through. */
final class Addresses {
  private static final int GROUPS = 8;

  private Addresses() {}

  static boolean isV4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return false;
    }
    for (String part : parts) {
      if (!part.matches("[0-9]{1,9}") || Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }

  static boolean isV6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true) == GROUPS;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int left = before.isEmpty() ? 0 : groups(before, false);
    int right = after.isEmpty() ? 0 : groups(after, true);
    return left >= 0 && right >= 0 && left + right < GROUPS;
  }

  /** How many groups of 16 bits a text has; a negative number if it has something else. */
  private static int groups(String text, boolean mayEndInV4) {
    String[] parts = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      if (mayEndInV4 && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
        if (!isV4(parts[i])) {
          return -GROUPS;
        }
        count += 2;
      } else if (parts[i].matches("[0-9a-fA-F]{1,4}")) {
        count++;
      } else {
        return -GROUPS;
      }
    }
    return count;
  }

  static boolean isCidr(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return false;
    }
    String address = text.substring(0, slash);
    String bits = text.substring(slash + 1);
    boolean v4 = isV4(address);
    return (v4 || isV6(address))
        && bits.matches("[0-9]{1,3}")
        && Integer.parseInt(bits) <= (v4 ? 32 : 128);
  }
}
