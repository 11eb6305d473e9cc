package dev.berth.model.selector;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the string form of a label selector.
 *
 * <pre>
 * selector    = [ requirement { "," requirement } ]
 * requirement = [ "!" ] KEY | KEY ( "=" | "==" | "!=" | "&gt;" | "&lt;" ) [ VALUE ]
 *             | KEY ( "in" | "notin" ) "(" [ VALUE ] { "," [ VALUE ] } ")"
 * </pre>
 *
 * <p>Words and symbols may have blanks between them. {@code in} and {@code notin} are operators
 * only where an operator is expected, so they can be keys and values too. A value that is left out
 * is the empty one.
 */
final class LabelSelectorParser {
  private static final String SYMBOLS = "=!(),><";
  private static final String BLANKS = " \t\r\n";

  private final String text;
  private int at;

  /** The word or symbol that is to be read next; empty at the end. */
  private String token = "";

  LabelSelectorParser(String text) {
    this.text = text;
    advance();
  }

  List<LabelRequirement> requirements() {
    List<LabelRequirement> requirements = new ArrayList<>();
    if (token.isEmpty()) {
      return requirements;
    }
    if (!isWord() && !token.equals("!")) {
      throw unexpected(", expected: !, identifier, or 'end of string'");
    }
    while (true) {
      requirements.add(requirement());
      if (token.isEmpty()) {
        return requirements;
      }
      if (!token.equals(",")) {
        throw unexpected(", expected: ',' or 'end of string'");
      }
      advance();
      if (!isWord() && !token.equals("!")) {
        throw unexpected(", expected: identifier after ','");
      }
    }
  }

  private LabelRequirement requirement() {
    try {
      return unprefixedRequirement();
    } catch (SelectorException e) {
      throw new SelectorException("unable to parse requirement: " + e.getMessage());
    }
  }

  private LabelRequirement unprefixedRequirement() {
    boolean negated = token.equals("!");
    if (negated) {
      advance();
    }
    String key = key();
    if (negated) {
      return LabelRequirement.checked(key, LabelOperator.DOES_NOT_EXIST, List.of());
    }
    if (token.isEmpty() || token.equals(",")) {
      return LabelRequirement.checked(key, LabelOperator.EXISTS, List.of());
    }
    LabelOperator operator = operator();
    List<String> values =
        operator == LabelOperator.IN || operator == LabelOperator.NOT_IN
            ? values()
            : List.of(exactValue());
    return LabelRequirement.checked(key, operator, values);
  }

  private String key() {
    if (!isWord()) {
      throw unexpected(", expected: identifier");
    }
    List<String> problems = NameRules.qualifiedName(token);
    if (!problems.isEmpty()) {
      // A selector stands in no field, which Kubernetes prints like this.
      throw new SelectorException(
          FieldError.invalid("<nil>", token, String.join("; ", problems)).toString());
    }
    return advance();
  }

  private LabelOperator operator() {
    LabelOperator operator =
        switch (token) {
          case "in" -> LabelOperator.IN;
          case "notin" -> LabelOperator.NOT_IN;
          case "=" -> LabelOperator.EQUALS;
          case "==" -> LabelOperator.DOUBLE_EQUALS;
          case "!=" -> LabelOperator.NOT_EQUALS;
          case ">" -> LabelOperator.GREATER_THAN;
          case "<" -> LabelOperator.LESS_THAN;
          default -> throw unexpected(", expected: in, notin, =, ==, !=, gt, lt");
        };
    advance();
    return operator;
  }

  private String exactValue() {
    if (token.isEmpty() || token.equals(",")) {
      return "";
    }
    if (!isWord()) {
      throw unexpected(", expected: identifier");
    }
    return advance();
  }

  /** The values between parentheses, each once and in order. */
  private List<String> values() {
    if (!token.equals("(")) {
      throw unexpected(" expected: '('");
    }
    advance();
    Set<String> values = new TreeSet<>();
    while (true) {
      values.add(isWord() ? advance() : "");
      if (token.equals(")")) {
        advance();
        return List.copyOf(values);
      }
      if (!token.equals(",")) {
        throw unexpected(", expected: ',' or ')'");
      }
      advance();
    }
  }

  private boolean isWord() {
    return !token.isEmpty() && SYMBOLS.indexOf(token.charAt(0)) < 0;
  }

  private SelectorException unexpected(String expected) {
    return new SelectorException("found '" + token + "'" + expected);
  }

  /** Moves on to the next word or symbol, and returns the one that was next until now. */
  private String advance() {
    String passed = token;
    while (at < text.length() && BLANKS.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    int start = at;
    if (text.startsWith("==", at) || text.startsWith("!=", at)) {
      at += 2;
    } else if (at < text.length() && SYMBOLS.indexOf(text.charAt(at)) >= 0) {
      at++;
    } else {
      while (at < text.length() && (SYMBOLS + BLANKS).indexOf(text.charAt(at)) < 0) {
        at++;
      }
    }
    token = text.substring(start, at);
    return passed;
  }
}
