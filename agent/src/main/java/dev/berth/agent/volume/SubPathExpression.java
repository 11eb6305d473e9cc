package dev.berth.agent.volume;

import java.util.Map;

/**
 * Expands {@code subPathExpr}: {@code $(NAME)} is the value of a variable of the container, and
 * {@code $$} a dollar sign. A variable that the container does not have is an error here.
 */
final class SubPathExpression {
  private SubPathExpression() {}

  static String expand(String expression, Map<String, String> environment) throws SetUpException {
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (at < expression.length()) {
      char c = expression.charAt(at);
      char next = at + 1 < expression.length() ? expression.charAt(at + 1) : '\0';
      int end = c == '$' && next == '(' ? expression.indexOf(')', at) : -1;
      if (c == '$' && next == '$') {
        expanded.append('$');
        at += 2;
      } else if (end > 0) {
        String name = expression.substring(at + 2, end);
        String value = environment.get(name);
        if (value == null) {
          throw new SetUpException("missing value for \"" + name + "\"");
        }
        expanded.append(value);
        at = end + 1;
      } else {
        expanded.append(c);
        at++;
      }
    }
    return expanded.toString();
  }
}
