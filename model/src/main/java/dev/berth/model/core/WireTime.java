package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as objects carry them: RFC 3339, whole seconds when written. */
final class WireTime {
  private WireTime() {}

  /** The time in a field; null if it is absent or is no time. */
  static @Nullable Instant read(JsonObject object, String field) {
    String text = object.text(field);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
