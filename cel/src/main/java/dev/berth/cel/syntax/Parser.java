package dev.berth.cel.syntax;

import dev.berth.cel.syntax.Expr.Call;
import dev.berth.cel.syntax.Expr.Entry;
import dev.berth.cel.syntax.Expr.Ident;
import dev.berth.cel.syntax.Expr.ListLiteral;
import dev.berth.cel.syntax.Expr.Literal;
import dev.berth.cel.syntax.Expr.MapLiteral;
import dev.berth.cel.syntax.Expr.Select;
import dev.berth.cel.syntax.Expr.StructLiteral;
import dev.berth.cel.syntax.Token.Kind;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.model.tree.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an expression by recursive descent, a method for each rule of the language's grammar.
 *
 * <p>It stops at the first syntax error, which it words as the generated parser of Kubernetes does;
 * that one goes on and may report more.
 */
public final class Parser {
  private static final int MAX_CODE_POINTS = 100_000;
  private static final int MAX_DEPTH = 250;
  private static final String OPERAND =
      "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT,"
          + " STRING, BYTES, IDENTIFIER}";

  /** Words that the language itself has, which not even fields may be called by. */
  private static final Set<String> KEYWORDS = Set.of("false", "in", "null", "true");

  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "package",
          "namespace",
          "null",
          "return",
          "true",
          "var",
          "void",
          "while");

  private final Source source;
  private final List<Token> tokens;
  private final Macros macros;
  private int at;
  private int depth;

  private Parser(Source source, List<Token> tokens, boolean bindings) {
    this.source = source;
    this.tokens = tokens;
    this.macros = new Macros(source, bindings);
  }

  /**
   * The tree of an expression; null if it has problems, which the source knows then.
   *
   * @param bindings whether {@code cel.bind} gives values names
   */
  public static @Nullable Expr parse(Source source, boolean bindings) {
    if (source.length() > MAX_CODE_POINTS) {
      source.report(
          -1,
          "expression code point size exceeds limit: size: %d, limit %d"
              .formatted(source.length(), MAX_CODE_POINTS));
      return null;
    }
    Parser parser = new Parser(source, Lexer.tokens(source), bindings);
    try {
      Expr expression = parser.expression();
      if (parser.peek().kind() != Kind.END) {
        throw parser.unexpected("<EOF>");
      }
      return source.hasProblems() ? null : expression;
    } catch (SyntaxException e) {
      return null;
    }
  }

  /** A problem that was reported and ends the reading. */
  private static final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SyntaxException() {
      super(null, null, false, false);
    }
  }

  private Expr expression() {
    if (++depth > MAX_DEPTH) {
      source.report(-1, "expression recursion limit exceeded: " + MAX_DEPTH);
      throw new SyntaxException();
    }
    Expr condition = or();
    if (peek().is("?")) {
      int offset = next().offset();
      Expr then = or();
      expect(":");
      Expr otherwise = expression();
      condition = call(offset, Operators.CONDITIONAL, condition, then, otherwise);
    }
    depth--;
    return condition;
  }

  private Expr or() {
    List<Expr> terms = new ArrayList<>();
    List<Integer> offsets = new ArrayList<>();
    terms.add(and());
    while (peek().is("||")) {
      offsets.add(next().offset());
      terms.add(and());
    }
    return balanced(Operators.OR, terms, offsets, 0, offsets.size() - 1);
  }

  private Expr and() {
    List<Expr> terms = new ArrayList<>();
    List<Integer> offsets = new ArrayList<>();
    terms.add(relation());
    while (peek().is("&&")) {
      offsets.add(next().offset());
      terms.add(relation());
    }
    return balanced(Operators.AND, terms, offsets, 0, offsets.size() - 1);
  }

  /** Long chains become shallow trees. */
  private static Expr balanced(
      String operator, List<Expr> terms, List<Integer> offsets, int low, int high) {
    if (offsets.isEmpty()) {
      return terms.getFirst();
    }
    int middle = (low + high + 1) / 2;
    Expr left =
        middle == low ? terms.get(middle) : balanced(operator, terms, offsets, low, middle - 1);
    Expr right =
        middle == high
            ? terms.get(middle + 1)
            : balanced(operator, terms, offsets, middle + 1, high);
    return call(offsets.get(middle), operator, left, right);
  }

  private Expr relation() {
    Expr left = sum();
    int length = 0;
    while (true) {
      String operator = Operators.relation(peek());
      if (operator == null) {
        return left;
      }
      checkLength(++length);
      int offset = next().offset();
      left = call(offset, operator, left, sum());
    }
  }

  private Expr sum() {
    Expr left = product();
    int length = 0;
    while (peek().is("+") || peek().is("-")) {
      checkLength(++length);
      Token operator = next();
      left = call(operator.offset(), "_" + operator.text() + "_", left, product());
    }
    return left;
  }

  private Expr product() {
    Expr left = unary();
    int length = 0;
    while (peek().is("*") || peek().is("/") || peek().is("%")) {
      checkLength(++length);
      Token operator = next();
      left = call(operator.offset(), "_" + operator.text() + "_", left, unary());
    }
    return left;
  }

  private void checkLength(int length) {
    if (length + depth > MAX_DEPTH) {
      source.report(-1, "max recursion depth exceeded");
      throw new SyntaxException();
    }
  }

  private Expr unary() {
    Token first = peek();
    if (first.is("!")) {
      return repeated("!", Operators.NOT);
    }
    if (first.is("-")) {
      Kind after = tokens.get(at + 1).kind();
      if (after == Kind.INT || after == Kind.FLOAT) {
        next();
        return member(number(first.offset(), "-", next()));
      }
      return repeated("-", Operators.NEGATE);
    }
    return member(primary());
  }

  /** Operators that undo each other when they are written twice. */
  private Expr repeated(String symbol, String operator) {
    int offset = peek().offset();
    int count = 0;
    while (peek().is(symbol)) {
      next();
      count++;
    }
    Expr operand = member(primary());
    return count % 2 == 0 ? operand : call(offset, operator, operand);
  }

  private Expr member(Expr first) {
    Expr operand = first;
    int length = 0;
    while (true) {
      if (peek().is(".")) {
        checkLength(++length);
        operand = selection(operand, next());
      } else if (peek().is("[")) {
        checkLength(++length);
        int offset = next().offset();
        boolean optional = skip("?");
        Expr index = expression();
        expect("]");
        operand =
            call(offset, optional ? Operators.OPTIONAL_INDEX : Operators.INDEX, operand, index);
      } else {
        return operand;
      }
    }
  }

  private Expr selection(Expr operand, Token dot) {
    boolean optional = skip("?");
    Token name = peek();
    if (name.kind() == Kind.QUOTED_IDENTIFIER) {
      source.report(name.offset(), "unsupported syntax: '`'");
      throw new SyntaxException();
    }
    if (KEYWORDS.contains(name.text()) && !optional) {
      throw syntaxError(name, "mismatched input '" + name.text() + "' expecting IDENTIFIER");
    }
    if (name.kind() != Kind.IDENTIFIER) {
      throw syntaxError(
          name,
          "no viable alternative at input '."
              + (optional ? "?" : "")
              + (name.kind() == Kind.END ? "" : name.text())
              + "'");
    }
    next();
    if (optional) {
      return call(
          dot.offset(),
          Operators.OPTIONAL_SELECT,
          operand,
          new Literal(name.offset(), name.text()));
    }
    if (peek().is("(")) {
      int open = next().offset();
      return macros.receiver(open, operand, name.text(), arguments());
    }
    return new Select(dot.offset(), operand, name.text(), false);
  }

  private List<Expr> arguments() {
    List<Expr> arguments = new ArrayList<>();
    if (!peek().is(")")) {
      do {
        arguments.add(expression());
      } while (skip(","));
    }
    expect(")");
    return arguments;
  }

  private Expr primary() {
    Token token = peek();
    return switch (token.kind()) {
      case INT, UINT, FLOAT -> number(token.offset(), "", next());
      case STRING, BYTES -> quoted(next());
      case IDENTIFIER -> name("");
      case END, QUOTED_IDENTIFIER -> throw unexpectedOperand();
      case PUNCTUATION ->
          switch (token.text()) {
            case "(" -> {
              next();
              Expr nested = expression();
              expect(")");
              yield nested;
            }
            case "[" -> list();
            case "{" -> new MapLiteral(next().offset(), entries("}"));
            case "true" -> new Literal(next().offset(), true);
            case "false" -> new Literal(next().offset(), false);
            case "null" -> new Literal(next().offset(), JsonNull.NULL);
            case "." -> {
              next();
              if (peek().kind() != Kind.IDENTIFIER) {
                throw unexpected("IDENTIFIER");
              }
              yield name(".");
            }
            default -> throw unexpectedOperand();
          };
    };
  }

  private Expr name(String prefix) {
    int struct = structOpen();
    if (struct > 0) {
      StringBuilder name = new StringBuilder(prefix);
      while (at < struct) {
        name.append(next().text());
      }
      int offset = next().offset();
      return new StructLiteral(offset, name.toString(), fields());
    }
    Token name = next();
    if (RESERVED.contains(name.text())) {
      source.report(name.offset(), "reserved identifier: " + name.text());
      throw new SyntaxException();
    }
    if (peek().is("(")) {
      int open = next().offset();
      return macros.global(open, prefix + name.text(), arguments());
    }
    return new Ident(name.offset(), prefix + name.text());
  }

  /** Where the brace of an object of a named type is, if one begins here; -1 if not. */
  private int structOpen() {
    int i = at + 1;
    while (tokens.get(i).is(".") && tokens.get(i + 1).kind() == Kind.IDENTIFIER) {
      i += 2;
    }
    return tokens.get(i).is("{") ? i : -1;
  }

  private Expr list() {
    int offset = next().offset();
    List<Expr> elements = new ArrayList<>();
    List<Boolean> optional = new ArrayList<>();
    while (!peek().is("]")) {
      optional.add(skip("?"));
      elements.add(expression());
      if (!skip(",")) {
        break;
      }
      if (peek().kind() == Kind.END) {
        expect("]");
      }
    }
    close("]");
    return new ListLiteral(offset, elements, optional);
  }

  private List<Entry> entries(String end) {
    List<Entry> entries = new ArrayList<>();
    while (!peek().is(end)) {
      boolean optional = skip("?");
      Expr key = expression();
      int colon = expect(":").offset();
      entries.add(new Entry(colon, key, expression(), optional));
      if (!skip(",")) {
        break;
      }
    }
    close(end);
    return entries;
  }

  private List<Entry> fields() {
    List<Entry> fields = new ArrayList<>();
    while (!peek().is("}")) {
      boolean optional = skip("?");
      if (peek().kind() == Kind.QUOTED_IDENTIFIER) {
        source.report(peek().offset(), "unsupported syntax: '`'");
        throw new SyntaxException();
      }
      if (peek().kind() != Kind.IDENTIFIER) {
        throw unexpected("{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}");
      }
      Token name = next();
      int colon = expect(":").offset();
      fields.add(new Entry(colon, new Literal(name.offset(), name.text()), expression(), optional));
      if (!skip(",")) {
        break;
      }
    }
    close("}");
    return fields;
  }

  private Expr number(int offset, String sign, Token token) {
    String text = token.text();
    boolean hex = text.startsWith("0x");
    try {
      return switch (token.kind()) {
        case INT ->
            new Literal(
                offset,
                hex ? Long.parseLong(sign + text.substring(2), 16) : Long.parseLong(sign + text));
        case UINT -> {
          String digits = text.substring(hex ? 2 : 0, text.length() - 1);
          yield new Literal(offset, new UnsignedInt(Long.parseUnsignedLong(digits, hex ? 16 : 10)));
        }
        default -> {
          double value = Double.parseDouble(sign + text);
          if (Double.isInfinite(value)) {
            throw new NumberFormatException();
          }
          yield new Literal(offset, value);
        }
      };
    } catch (NumberFormatException e) {
      String type =
          token.kind() == Kind.INT ? "int" : token.kind() == Kind.UINT ? "uint" : "double";
      source.report(offset, "invalid " + type + " literal");
      throw new SyntaxException();
    }
  }

  private Expr quoted(Token token) {
    try {
      return new Literal(
          token.offset(),
          token.kind() == Kind.STRING
              ? StringLiterals.string(token.text())
              : StringLiterals.bytes(token.text()));
    } catch (IllegalArgumentException e) {
      source.report(token.offset(), "invalid unicode code point");
      throw new SyntaxException();
    }
  }

  private static Call call(int offset, String function, Expr... args) {
    return new Call(offset, null, function, List.of(args));
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token next() {
    return tokens.get(at++);
  }

  private boolean skip(String word) {
    if (peek().is(word)) {
      at++;
      return true;
    }
    return false;
  }

  private Token expect(String word) {
    if (peek().is(word)) {
      return next();
    }
    if (peek().kind() == Kind.END && !word.equals(":")) {
      throw syntaxError(peek(), "missing '" + word + "' at '<EOF>'");
    }
    throw unexpected("'" + word + "'");
  }

  /** The end of a list or map, before which there may be one more comma. */
  private void close(String bracket) {
    if (!skip(bracket)) {
      throw unexpected("{'" + bracket + "', ','}");
    }
  }

  private SyntaxException unexpectedOperand() {
    Token token = peek();
    boolean extra = token.kind() != Kind.END && tokens.get(at + 1).beginsOperand();
    return syntaxError(
        token,
        (extra ? "extraneous" : "mismatched")
            + " input "
            + token.quoted()
            + " expecting "
            + OPERAND);
  }

  private SyntaxException unexpected(String expected) {
    Token token = peek();
    boolean extra = false;
    if (token.kind() != Kind.END) {
      Token after = tokens.get(at + 1);
      extra = expected.contains(after.kind() == Kind.END ? "<EOF>" : "'" + after.text() + "'");
    }
    return syntaxError(
        token,
        (extra ? "extraneous" : "mismatched")
            + " input "
            + token.quoted()
            + " expecting "
            + expected);
  }

  private SyntaxException syntaxError(Token token, String message) {
    source.report(token.offset(), "Syntax error: " + message);
    return new SyntaxException();
  }
}
