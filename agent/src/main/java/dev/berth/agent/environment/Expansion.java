package dev.berth.agent.environment;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Replaces references to variables in a text.
 *
 * <ol>
 *   <li>{@code $(NAME)} becomes the variable's value, and stays as it is if there is none.
 *   <li>{@code $$} becomes a single {@code $}, so that {@code $$(NAME)} becomes {@code $(NAME)}.
 *   <li>Any other {@code $} stays.
 * </ol>
 */
public final class Expansion {
  private Expansion() {}

  public static String expand(String text, Map<String, String> variables) {
    return expand(text, name -> variables.getOrDefault(name, "$(" + name + ")"));
  }

  /**
   * Replaces references to variables in a text by what becomes of each.
   *
   * @param values what becomes of a reference, by the variable's name
   */
  public static String expand(String text, UnaryOperator<String> values) {
    if (text.indexOf('$') < 0) {
      return text;
    }
    StringBuilder expanded = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
      if (c != '$' || (next != '$' && next != '(')) {
        expanded.append(c);
        at++;
      } else if (next == '$') {
        expanded.append('$');
        at += 2;
      } else {
        int end = text.indexOf(')', at);
        if (end < 0) {
          // A reference that does not end is none.
          expanded.append("$(");
          at += 2;
        } else {
          expanded.append(values.apply(text.substring(at + 2, end)));
          at = end + 1;
        }
      }
    }
    return expanded.toString();
  }
}
