package dev.berth.model.core;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times that may be absent, as views read and write them. */
public final class WireTime {
  private WireTime() {}

  /** The time in a field; null if it is absent or is no time. */
  public static @Nullable Instant read(JsonObject object, String field) {
    String text = object.text(field);
    if (text == null) {
      return null;
    }
    try {
      return Times.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : Times.format(time);
  }
}
