package dev.berth.model.autoscaling;

import dev.berth.model.tree.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A label selector in upstream's messages, which show it as Go does. */
public final class SelectorWords {
  private SelectorWords() {}

  /**
   * Shows a selector.
   *
   * @param selector as it stands in a tree; null if there is none
   */
  public static String of(@Nullable JsonObject selector) {
    if (selector == null) {
      return "nil";
    }
    StringBuilder words = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
    for (Map.Entry<String, String> label : selector.object("matchLabels").toStrings().entrySet()) {
      words.append(label.getKey()).append(": ").append(label.getValue()).append(',');
    }
    words.append("},MatchExpressions:[]LabelSelectorRequirement{");
    for (JsonObject expression : selector.array("matchExpressions").objects()) {
      words
          .append("LabelSelectorRequirement{Key:")
          .append(expression.text("key", ""))
          .append(",Operator:")
          .append(expression.text("operator", ""))
          .append(",Values:[")
          .append(String.join(" ", expression.array("values").texts()))
          .append("],},");
    }
    return words.append("},}").toString();
  }
}
