package dev.berth.model.core;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** A count, given as a number or as a share of a total. */
public sealed interface IntOrPercent {

  /** A number. */
  record Count(long count) implements IntOrPercent {}

  /** A percentage of the total. */
  record Percent(long percent) implements IntOrPercent {}

  /** A text that is neither, kept for the message that has to name it. */
  record Malformed(String text) implements IntOrPercent {}

  /** The value in a field; empty if the field is absent or null. */
  static Optional<IntOrPercent> read(JsonObject object, String field) {
    return switch (object.get(field)) {
      case null -> Optional.empty();
      case JsonNull _ -> Optional.empty();
      case Long count -> Optional.of(new Count(count));
      case Object other -> Optional.of(parse(other.toString()));
    };
  }

  private static IntOrPercent parse(String text) {
    return text.matches("[0-9]{1,9}%")
        ? new Percent(Long.parseLong(text, 0, text.length() - 1, 10))
        : new Malformed(text);
  }
}
