package dev.berth.cel.syntax;

import dev.berth.cel.value.CelBytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What the text between quotes stands for. */
final class StringLiterals {
  private StringLiterals() {}

  /** The length of the escape sequence that begins with a backslash here; -1 if there is none. */
  static int escapeLength(Source source, int at) {
    if (at + 1 >= source.length()) {
      return -1;
    }
    int c = source.at(at + 1);
    if ("abfnrtv\"'\\?`".indexOf(c) >= 0) {
      return 2;
    }
    if (c >= '0' && c <= '3') {
      return isOctal(source, at + 2) && isOctal(source, at + 3) ? 4 : -1;
    }
    int digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : -1;
    for (int i = 0; i < digits; i++) {
      if (at + 2 + i >= source.length() || !Lexer.isHex(source.at(at + 2 + i))) {
        return -1;
      }
    }
    return digits < 0 ? -1 : 2 + digits;
  }

  private static boolean isOctal(Source source, int at) {
    return at < source.length() && source.at(at) >= '0' && source.at(at) <= '7';
  }

  /** The value of a string; fails if it names a character that there is not. */
  static String string(String token) {
    StringBuilder text = new StringBuilder();
    decode(token, (codePoint, isByte) -> text.appendCodePoint(codePoint));
    return text.toString();
  }

  static CelBytes bytes(String token) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    decode(
        token.substring(1),
        (codePoint, isByte) -> {
          if (isByte) {
            bytes.write(codePoint);
          } else {
            bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
          }
        });
    return new CelBytes(bytes.toByteArray());
  }

  private interface Sink {
    void accept(int codePoint, boolean isByte);
  }

  private static void decode(String token, Sink sink) {
    boolean raw = token.charAt(0) == 'r' || token.charAt(0) == 'R';
    String quoted = raw ? token.substring(1) : token;
    int quotes = quoted.startsWith("\"\"\"") || quoted.startsWith("'''") ? 3 : 1;
    if (quoted.length() < 2 * quotes) {
      quotes = 1;
    }
    String body = quoted.substring(quotes, quoted.length() - quotes);
    for (int i = 0; i < body.length(); ) {
      int c = body.codePointAt(i);
      if (c != '\\' || raw) {
        sink.accept(c, false);
        i += Character.charCount(c);
        continue;
      }
      char kind = body.charAt(i + 1);
      switch (kind) {
        case 'x', 'X' -> sink.accept(hex(body, i + 2, 2), true);
        case 'u' -> sink.accept(scalar(hex(body, i + 2, 4)), false);
        case 'U' -> sink.accept(scalar(hex(body, i + 2, 8)), false);
        case '0', '1', '2', '3' ->
            sink.accept(Integer.parseInt(body.substring(i + 1, i + 4), 8), true);
        default -> sink.accept(simple(kind), false);
      }
      i +=
          switch (kind) {
            case 'x', 'X', '0', '1', '2', '3' -> 4;
            case 'u' -> 6;
            case 'U' -> 10;
            default -> 2;
          };
    }
  }

  private static int hex(String text, int from, int digits) {
    return Integer.parseUnsignedInt(text.substring(from, from + digits), 16);
  }

  private static int scalar(int codePoint) {
    if (!Character.isValidCodePoint(codePoint) || (codePoint >= 0xD800 && codePoint <= 0xDFFF)) {
      throw new IllegalArgumentException("invalid unicode code point");
    }
    return codePoint;
  }

  private static int simple(char c) {
    return switch (c) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 11;
      default -> c;
    };
  }
}
