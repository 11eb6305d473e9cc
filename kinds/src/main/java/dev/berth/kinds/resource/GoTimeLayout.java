package dev.berth.kinds.resource;

import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * Says what keeps a text from being a time in Go's words, which name the part of the layout at
 * which reading stopped. It reads the layout part by part, as Go does.
 */
final class GoTimeLayout {
  private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
  private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";
  private static final String ZONE = "Z07:00";
  private static final String FRACTION = ".000000";
  private static final String[] PARTS = {
    "2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"
  };

  private final String text;
  private final boolean micro;
  private String rest;

  private GoTimeLayout(String text, boolean micro) {
    this.text = text;
    this.micro = micro;
    this.rest = text;
  }

  /** What is wrong; null if nothing is. */
  static @Nullable String problem(String text, boolean micro) {
    return new GoTimeLayout(text, micro).problem();
  }

  private @Nullable String problem() {
    int day = 0;
    int month = 0;
    int year = 0;
    for (String part : PARTS) {
      int number = digits(part);
      if (number < 0 && !skip(part)) {
        return cannotParse(part);
      }
      String range = outOfRange(part, number);
      if (!range.isEmpty()) {
        return outOfRange(range);
      }
      switch (part) {
        case "2006" -> year = number;
        case "01" -> month = number;
        case "02" -> day = number;
        default -> {}
      }
    }
    if (micro && !fraction()) {
      return cannotParse(FRACTION);
    }
    if (!micro) {
      skipFraction();
    }
    if (!zone()) {
      return cannotParse(ZONE);
    }
    if (!rest.isEmpty()) {
      return quoted(text) + ": extra text: \"" + rest + '"';
    }
    boolean known = day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth();
    return known ? null : outOfRange("day");
  }

  /** Reads the digits of a part; -1 if it has none, or the text has none in their place. */
  private int digits(String part) {
    int width = part.length();
    if (width == 1 || rest.isEmpty() || !isDigit(0)) {
      return -1;
    }
    // An hour may have one digit.
    if (part.equals("15") && !isDigit(1)) {
      width = 1;
    }
    for (int i = 0; i < width; i++) {
      if (!isDigit(i)) {
        return -1;
      }
    }
    int number = Integer.parseInt(rest.substring(0, width));
    rest = rest.substring(width);
    return number;
  }

  private boolean skip(String part) {
    boolean literal = part.length() == 1 && rest.startsWith(part);
    rest = literal ? rest.substring(1) : rest;
    return literal;
  }

  private static String outOfRange(String part, int number) {
    return switch (part) {
      case "01" -> number < 1 || number > 12 ? "month" : "";
      case "15" -> number > 23 ? "hour" : "";
      case "04" -> number > 59 ? "minute" : "";
      case "05" -> number > 59 ? "second" : "";
      default -> "";
    };
  }

  private boolean fraction() {
    boolean whole = rest.length() >= FRACTION.length() && rest.charAt(0) == '.';
    for (int i = 1; whole && i < FRACTION.length(); i++) {
      whole = isDigit(i);
    }
    rest = whole ? rest.substring(FRACTION.length()) : rest;
    return whole;
  }

  private void skipFraction() {
    if (rest.startsWith(".") && isDigit(1)) {
      int end = 1;
      while (isDigit(end)) {
        end++;
      }
      rest = rest.substring(end);
    }
  }

  private boolean zone() {
    if (rest.startsWith("Z")) {
      rest = rest.substring(1);
      return true;
    }
    boolean offset =
        rest.length() >= "+00:00".length()
            && (rest.charAt(0) == '+' || rest.charAt(0) == '-')
            && isDigit(1)
            && isDigit(2)
            && rest.charAt(3) == ':'
            && isDigit(4)
            && isDigit(5);
    rest = offset ? rest.substring("+00:00".length()) : rest;
    return offset;
  }

  private boolean isDigit(int at) {
    return at < rest.length() && rest.charAt(at) >= '0' && rest.charAt(at) <= '9';
  }

  private String cannotParse(String part) {
    return "%s as \"%s\": cannot parse \"%s\" as \"%s\""
        .formatted(quoted(text), micro ? MICROS : SECONDS, rest, part);
  }

  private String outOfRange(String what) {
    return quoted(text) + ": " + what + " out of range";
  }

  private static String quoted(String text) {
    return "parsing time \"" + text + '"';
  }
}
