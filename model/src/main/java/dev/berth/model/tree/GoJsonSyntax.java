package dev.berth.model.tree;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Says in Go's words where a text ceases to be JSON, by the byte and by what was expected there. It
 * keeps its own stack, so that no text is too deep for it.
 */
public final class GoJsonSyntax {
  private static final String END = "unexpected end of JSON input";
  private static final String VALUE = "looking for beginning of value";
  private static final String KEY = "looking for beginning of object key string";
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 4;

  private final byte[] text;
  private int at;

  /** The objects and lists that are open, innermost first. */
  private final Deque<Character> open = new ArrayDeque<>();

  private GoJsonSyntax(byte[] text) {
    this.text = text;
  }

  /** What is wrong; empty if nothing is. */
  public static Optional<String> problem(byte[] text) {
    try {
      new GoJsonSyntax(text).document();
      return Optional.empty();
    } catch (SyntaxException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    SyntaxException(String message) {
      super(message, null, false, false);
    }
  }

  private void document() throws SyntaxException {
    boolean wantsValue = true;
    while (wantsValue || !open.isEmpty()) {
      skipSpace();
      wantsValue = wantsValue ? begin() : end();
    }
    skipSpace();
    if (at < text.length) {
      throw unexpected("after top-level value");
    }
  }

  /** Reads a scalar, or what opens an object or a list; whether a value must follow. */
  private boolean begin() throws SyntaxException {
    switch (next()) {
      case '{' -> {
        return opens('{', '}');
      }
      case '[' -> {
        return opens('[', ']');
      }
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw unexpected(VALUE);
    }
    return false;
  }

  private boolean opens(char opening, char closing) throws SyntaxException {
    at++;
    skipSpace();
    if (next() == closing) {
      at++;
      return false;
    }
    open.push(opening);
    if (opening == '{') {
      key();
    }
    return true;
  }

  /** Reads what follows a value of an object or a list; whether a value must follow. */
  private boolean end() throws SyntaxException {
    boolean inObject = open.getFirst() == '{';
    char found = next();
    if (found == ',') {
      at++;
      if (inObject) {
        skipSpace();
        key();
      }
      return true;
    }
    if (found != (inObject ? '}' : ']')) {
      throw unexpected(inObject ? "after object key:value pair" : "after array element");
    }
    at++;
    open.pop();
    return false;
  }

  private void key() throws SyntaxException {
    if (next() != '"') {
      throw unexpected(KEY);
    }
    string();
    skipSpace();
    if (next() != ':') {
      throw unexpected("after object key");
    }
    at++;
  }

  private void string() throws SyntaxException {
    at++;
    while (next() != '"') {
      if (next() < ' ') {
        throw unexpected("in string literal");
      }
      if (next() == '\\') {
        at++;
        escape();
      } else {
        at++;
      }
    }
    at++;
  }

  private void escape() throws SyntaxException {
    if (next() == 'u') {
      for (int i = 0; i < HEX_DIGITS; i++) {
        at++;
        if (Character.digit(next(), HEX) < 0) {
          throw unexpected("in \\u hexadecimal character escape");
        }
      }
    } else if ("bfnrt\\/\"".indexOf(next()) < 0) {
      throw unexpected("in string escape code");
    }
    at++;
  }

  private void literal(String word) throws SyntaxException {
    for (int i = 1; i < word.length(); i++) {
      at++;
      if (next() != word.charAt(i)) {
        throw unexpected("in literal %s (expecting '%c')".formatted(word, word.charAt(i)));
      }
    }
    at++;
  }

  private void number() throws SyntaxException {
    if (next() == '-') {
      at++;
      expectDigit("in numeric literal");
    }
    if (next() == '0') {
      at++;
    } else {
      skipDigits();
    }
    if (is('.')) {
      at++;
      expectDigit("after decimal point in numeric literal");
      skipDigits();
    }
    if (is('e') || is('E')) {
      at++;
      if (is('+') || is('-')) {
        at++;
      }
      expectDigit("in exponent of numeric literal");
      skipDigits();
    }
  }

  private void expectDigit(String where) throws SyntaxException {
    if (!isDigit(next())) {
      throw unexpected(where);
    }
  }

  private void skipDigits() {
    while (at < text.length && isDigit((char) text[at])) {
      at++;
    }
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private boolean is(char character) {
    return at < text.length && text[at] == character;
  }

  private void skipSpace() {
    while (is(' ') || is('\t') || is('\r') || is('\n')) {
      at++;
    }
  }

  /** The byte here; the text must not end before it. */
  private char next() throws SyntaxException {
    if (at == text.length) {
      throw new SyntaxException(END);
    }
    return (char) (text[at] & 0xff);
  }

  private SyntaxException unexpected(String where) {
    return new SyntaxException(
        "invalid character %s %s".formatted(quoted((char) (text[at] & 0xff)), where));
  }

  /** As Go quotes a byte that it takes for a character. */
  private static String quoted(char character) {
    return switch (character) {
      case '\'' -> "'\\''";
      case '"' -> "'\"'";
      case '\\' -> "'\\\\'";
      case '\n' -> "'\\n'";
      case '\r' -> "'\\r'";
      case '\t' -> "'\\t'";
      case '\b' -> "'\\b'";
      case '\f' -> "'\\f'";
      case 0x07 -> "'\\a'";
      case 0x0b -> "'\\v'";
      default -> {
        if (character < ' ' || character == 0x7f) {
          yield "'\\x%02x'".formatted((int) character);
        }
        boolean shown = character < 0x7f || (character > 0xa0 && character != 0xad);
        yield shown ? "'" + character + "'" : "'\\u%04x'".formatted((int) character);
      }
    };
  }
}
