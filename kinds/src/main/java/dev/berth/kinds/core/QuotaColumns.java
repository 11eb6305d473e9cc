package dev.berth.kinds.core;

import dev.berth.kinds.column.Column;
import dev.berth.model.tree.JsonObject;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is used of a quota, and what may be. */
final class QuotaColumns {
  private static final String LIMITS = "limits.";

  static final Column REQUEST =
      Column.text(
          "Request",
          "What is used, and may be: objects and requests.",
          quota -> amounts(quota, name -> !name.startsWith(LIMITS)));

  static final Column LIMIT =
      Column.text(
          "Limit",
          "What is used, and may be: limits.",
          quota -> amounts(quota, name -> name.startsWith(LIMITS)));

  private QuotaColumns() {}

  private static String amounts(JsonObject quota, Predicate<String> shown) {
    JsonObject used = quota.object("status").object("used");
    JsonObject hard = quota.object("status").object("hard");
    return new TreeSet<>(hard.names())
        .stream()
            .filter(shown)
            .map(name -> "%s: %s/%s".formatted(name, used.text(name, "0"), hard.text(name, "0")))
            .collect(Collectors.joining(", "));
  }
}
