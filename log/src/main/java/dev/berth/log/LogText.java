package dev.berth.log;

/**
 * Makes values safe to print: whatever a client wrote into a name or a path stays on its line, and
 * does not look like another value. What a terminal would act on is escaped as in JSON.
 */
final class LogText {
  /** Whoever sends more than this in a value does not send it for our eyes. */
  private static final int LONGEST = 2_000;

  private static final String HEX = "0123456789abcdef";

  private LogText() {}

  /** Text that stands by itself, such as a message: spaces and quotes are its own. */
  static void plain(StringBuilder out, String text) {
    escape(out, text, LONGEST, false);
  }

  /** A value after its key; in quotes if it would not be clear where it ends. */
  static void value(StringBuilder out, String text) {
    if (isWord(text)) {
      out.append(text);
    } else {
      quoted(out, text);
    }
  }

  /** A string of JSON. */
  static void quoted(StringBuilder out, String text) {
    out.append('"');
    escape(out, text, LONGEST, true);
    out.append('"');
  }

  /** What stands between the quotes of a string of JSON, however long it is. */
  static void unbounded(StringBuilder out, String text) {
    escape(out, text, Integer.MAX_VALUE, true);
  }

  private static boolean isWord(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == '"' || c == '=' || c == '\\' || mustEscape(c)) {
        return false;
      }
    }
    return true;
  }

  private static void escape(StringBuilder out, String text, int longest, boolean inQuotes) {
    int end = Math.min(text.length(), longest);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '"', '\\' -> out.append(inQuotes ? "\\" : "").append(c);
        default -> {
          if (isPair(text, i)) {
            out.append(c).append(text.charAt(++i));
          } else if (mustEscape(c)) {
            unicode(out, c);
          } else {
            out.append(c);
          }
        }
      }
    }
    if (end < text.length()) {
      out.append("… (").append(text.length()).append(" characters)");
    }
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  /** Control characters, line ends of other alphabets, what turns text around, broken pairs. */
  private static boolean mustEscape(char c) {
    if (c >= ' ' && c < 0x7f) {
      return false;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.FORMAT,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  private static void unicode(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX.charAt(c >> shift & 0xf));
    }
  }
}
