package dev.berth.cli.foresight;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a scenario with commas between them. A value may be a list, an object or quoted, whose
 * own commas and brackets part nothing: {@code cluster.nodes.web.zones=[a,b],duration=1h}.
 */
final class ScenarioChangeWords {
  private ScenarioChangeWords() {}

  /** The changes, in their order; none of a text that is empty. */
  static List<String> split(String text) {
    List<String> changes = new ArrayList<>();
    StringBuilder change = new StringBuilder();
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[' || c == '{') {
        depth++;
      } else if (c == ']' || c == '}') {
        depth = Math.max(0, depth - 1);
      }
      if (c == ',' && depth == 0 && quote == 0) {
        changes.add(change.toString());
        change.setLength(0);
      } else {
        change.append(c);
      }
    }
    if (!text.isEmpty()) {
      changes.add(change.toString());
    }
    return changes;
  }
}
