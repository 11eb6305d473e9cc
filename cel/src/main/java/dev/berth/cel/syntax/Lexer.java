package dev.berth.cel.syntax;

import dev.berth.cel.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Cuts an expression into words. What is no word is reported and left out. */
final class Lexer {
  private static final Set<String> KEYWORDS = Set.of("in", "true", "false", "null");
  private static final List<String> OPERATORS =
      List.of(
          "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-",
          "!", "?", ":", "+", "*", "/", "%");

  private final Source source;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(Source source) {
    this.source = source;
  }

  static List<Token> tokens(Source source) {
    Lexer lexer = new Lexer(source);
    while (lexer.at < source.length()) {
      lexer.next();
    }
    lexer.tokens.add(new Token(Kind.END, source.length(), ""));
    return lexer.tokens;
  }

  private void next() {
    int c = peek(0);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
      at++;
    } else if (c == '/' && peek(1) == '/') {
      while (at < source.length() && peek(0) != '\n') {
        at++;
      }
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number();
    } else if (stringPrefix() >= 0) {
      string(stringPrefix());
    } else if (isLetter(c)) {
      int start = at;
      while (isLetter(peek(0)) || isDigit(peek(0))) {
        at++;
      }
      String word = source.text(start, at);
      tokens.add(
          new Token(KEYWORDS.contains(word) ? Kind.PUNCTUATION : Kind.IDENTIFIER, start, word));
    } else if (c == '`') {
      quotedIdentifier();
    } else {
      operator();
    }
  }

  private void operator() {
    for (String operator : OPERATORS) {
      boolean matches = true;
      for (int i = 0; i < operator.length(); i++) {
        matches &= peek(i) == operator.charAt(i);
      }
      if (matches) {
        tokens.add(new Token(Kind.PUNCTUATION, at, operator));
        at += operator.length();
        return;
      }
    }
    int start = at++;
    // A lone & or | or = is read together with what should have been the rest of the operator.
    int c = source.at(start);
    if ((c == '&' || c == '|' || c == '=') && at < source.length()) {
      at++;
    }
    unrecognized(start);
  }

  private void unrecognized(int start) {
    source.report(
        start, "Syntax error: token recognition error at: '" + source.text(start, at) + "'");
  }

  private void number() {
    int start = at;
    if (peek(0) == '0' && peek(1) == 'x' && isHex(peek(2))) {
      at += 2;
      while (isHex(peek(0))) {
        at++;
      }
      integer(start);
      return;
    }
    digits();
    boolean fraction = peek(0) == '.' && isDigit(peek(1));
    if (fraction) {
      at++;
      digits();
    }
    int e = peek(0);
    int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((e == 'e' || e == 'E') && isDigit(peek(1 + sign))) {
      at += 1 + sign;
      digits();
      fraction = true;
    }
    if (fraction) {
      tokens.add(new Token(Kind.FLOAT, start, source.text(start, at)));
    } else {
      integer(start);
    }
  }

  private void integer(int start) {
    if (peek(0) == 'u' || peek(0) == 'U') {
      at++;
      tokens.add(new Token(Kind.UINT, start, source.text(start, at)));
    } else {
      tokens.add(new Token(Kind.INT, start, source.text(start, at)));
    }
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  /** How many letters come before a string's quote here; -1 if no string begins here. */
  private int stringPrefix() {
    int i = 0;
    if (peek(i) == 'b' || peek(i) == 'B') {
      i++;
    }
    if (peek(i) == 'r' || peek(i) == 'R') {
      i++;
    }
    return peek(i) == '"' || peek(i) == '\'' ? i : -1;
  }

  private void string(int prefix) {
    int start = at;
    boolean bytes = peek(0) == 'b' || peek(0) == 'B';
    boolean raw = prefix > 0 && (peek(prefix - 1) == 'r' || peek(prefix - 1) == 'R');
    at += prefix;
    int quote = peek(0);
    boolean triple = peek(1) == quote && peek(2) == quote;
    at += triple ? 3 : 1;
    while (true) {
      if (at >= source.length()) {
        unrecognized(start);
        return;
      }
      int c = peek(0);
      if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at += triple ? 3 : 1;
        break;
      }
      if (!triple && (c == '\n' || c == '\r')) {
        at++;
        unrecognized(start);
        return;
      }
      if (c == '\\' && !raw) {
        int length = StringLiterals.escapeLength(source, at);
        if (length < 0) {
          at = Math.min(source.length(), at + 2);
          unrecognized(start);
          return;
        }
        at += length;
      } else {
        at++;
      }
    }
    tokens.add(new Token(bytes ? Kind.BYTES : Kind.STRING, start, source.text(start, at)));
  }

  private void quotedIdentifier() {
    int start = at++;
    while (isLetter(peek(0)) || isDigit(peek(0)) || ".-/ ".indexOf(peek(0)) >= 0) {
      at++;
    }
    if (peek(0) != '`' || at == start + 1) {
      at = Math.min(source.length(), at + 1);
      unrecognized(start);
      return;
    }
    at++;
    tokens.add(new Token(Kind.QUOTED_IDENTIFIER, start, source.text(start, at)));
  }

  private int peek(int ahead) {
    return at + ahead < source.length() ? source.at(at + ahead) : -1;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isHex(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
