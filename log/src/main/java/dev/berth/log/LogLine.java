package dev.berth.log;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One thing that was logged. All of it is text by now, so that a line which is kept keeps nothing
 * else alive.
 *
 * @param time on the clock of whoever logs: virtual where time is
 * @param component who logs, such as {@code scheduler}
 * @param values what the message is about, such as {@code object} and {@code reason}, in order
 * @param cause the exception that tells of a bug, if any
 */
public record LogLine(
    Instant time,
    Level level,
    String component,
    String message,
    List<Value> values,
    @Nullable Throwable cause) {

  /** A key and its value. */
  public record Value(String key, String text) {}

  /** The value of a key; empty if the line has none. */
  public String value(String key) {
    return values.stream().filter(v -> v.key().equals(key)).map(Value::text).findFirst().orElse("");
  }
}
