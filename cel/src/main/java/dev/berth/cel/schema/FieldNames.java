package dev.berth.cel.schema;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of fields that an expression cannot write as they are: {@code foo-bar} is {@code
 * foo__dash__bar}.
 */
public final class FieldNames {
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");
  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
  private static final Pattern PLAIN = Pattern.compile("[a-zA-Z_./-][a-zA-Z0-9_./-]*");
  private static final Pattern ESCAPED = Pattern.compile("__|[./-]");
  private static final Pattern ESCAPE = Pattern.compile("__([^_]+)__");

  private FieldNames() {}

  /** Whether a name can stand in an expression as it is. */
  public static boolean isIdentifier(String name) {
    return IDENTIFIER.matcher(name).matches() && !RESERVED.contains(name);
  }

  /** A field's name as expressions write it; none if no expression can. */
  public static Optional<String> escape(String name) {
    if (RESERVED.contains(name)) {
      return Optional.of("__" + name + "__");
    }
    if (!PLAIN.matcher(name).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        ESCAPED
            .matcher(name)
            .replaceAll(match ->
                switch (match.group()) {
                  case "__" -> "__underscores__";
                  case "." -> "__dot__";
                  case "-" -> "__dash__";
                  default -> "__slash__";
                }));
  }

  /** The name of the field that an expression means; none if it is escaped wrongly. */
  public static Optional<String> unescape(String escaped) {
    Matcher matcher = ESCAPE.matcher(escaped);
    StringBuilder name = new StringBuilder();
    while (matcher.find()) {
      String word = matcher.group(1);
      String plain =
          switch (word) {
            case "underscores" -> "__";
            case "dot" -> ".";
            case "dash" -> "-";
            case "slash" -> "/";
            default ->
                RESERVED.contains(word) && matcher.group().length() == escaped.length() ? word : "";
          };
      if (plain.isEmpty()) {
        return Optional.empty();
      }
      matcher.appendReplacement(name, Matcher.quoteReplacement(plain));
    }
    return Optional.of(matcher.appendTail(name).toString());
  }
}
