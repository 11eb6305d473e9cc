package dev.berth.cel.syntax;

import org.jspecify.annotations.Nullable;

/** The names under which operators are functions. */
public final class Operators {
  public static final String CONDITIONAL = "_?_:_";
  public static final String AND = "_&&_";
  public static final String OR = "_||_";
  public static final String NOT = "!_";
  public static final String NEGATE = "-_";
  public static final String EQUALS = "_==_";
  public static final String NOT_EQUALS = "_!=_";
  public static final String LESS = "_<_";
  public static final String LESS_EQUALS = "_<=_";
  public static final String GREATER = "_>_";
  public static final String GREATER_EQUALS = "_>=_";
  public static final String ADD = "_+_";
  public static final String SUBTRACT = "_-_";
  public static final String MULTIPLY = "_*_";
  public static final String DIVIDE = "_/_";
  public static final String MODULO = "_%_";
  public static final String IN = "@in";
  public static final String INDEX = "_[_]";
  public static final String OPTIONAL_INDEX = "_[?_]";
  public static final String OPTIONAL_SELECT = "_?._";
  public static final String NOT_STRICTLY_FALSE = "@not_strictly_false";
  public static final String MAP_INSERT = "cel.@mapInsert";
  public static final String SORT_BY_KEYS = "@sortByAssociatedKeys";

  private Operators() {}

  static @Nullable String relation(Token token) {
    if (token.kind() != Token.Kind.PUNCTUATION) {
      return null;
    }
    return switch (token.text()) {
      case "==" -> EQUALS;
      case "!=" -> NOT_EQUALS;
      case "<" -> LESS;
      case "<=" -> LESS_EQUALS;
      case ">" -> GREATER;
      case ">=" -> GREATER_EQUALS;
      case "in" -> IN;
      default -> null;
    };
  }
}
