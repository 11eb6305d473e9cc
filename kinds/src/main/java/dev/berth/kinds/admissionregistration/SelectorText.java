package dev.berth.kinds.admissionregistration;

import dev.berth.model.tree.JsonObject;
import java.util.stream.Collectors;

/** A selector as upstream's own type prints itself, which is what tables show. */
final class SelectorText {
  private SelectorText() {}

  static String of(JsonObject selector) {
    JsonObject labels = selector.object("matchLabels");
    String matched =
        labels.names().stream()
            .sorted()
            .map(key -> key + ": " + labels.text(key, "") + ",")
            .collect(Collectors.joining());
    String expressions =
        selector.array("matchExpressions").objects().stream()
            .map(SelectorText::requirement)
            .collect(Collectors.joining());
    return "&LabelSelector{MatchLabels:map[string]string{%s},MatchExpressions:[]LabelSelectorRequirement{%s},}"
        .formatted(matched, expressions);
  }

  private static String requirement(JsonObject requirement) {
    return "LabelSelectorRequirement{Key:%s,Operator:%s,Values:[%s],},"
        .formatted(
            requirement.text("key", ""),
            requirement.text("operator", ""),
            String.join(" ", requirement.array("values").texts()));
  }
}
