package dev.berth.agent.volume;

import dev.berth.agent.environment.Expansion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Expands {@code subPathExpr}: {@code $(NAME)} is the value of a variable of the container, and
 * {@code $$} a dollar sign. A variable that the container does not have is an error here.
 */
final class SubPathExpression {
  private SubPathExpression() {}

  static String expand(String expression, Map<String, String> environment) throws SetUpException {
    List<String> missing = new ArrayList<>();
    String expanded =
        Expansion.expand(
            expression,
            name -> {
              if (!environment.containsKey(name)) {
                missing.add(name);
              }
              return environment.getOrDefault(name, "");
            });
    if (!missing.isEmpty()) {
      throw new SetUpException("missing value for \"" + missing.getFirst() + "\"");
    }
    return expanded;
  }
}
