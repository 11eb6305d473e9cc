package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.DURATION;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;
import static dev.berth.cel.value.CelType.TIMESTAMP;

import dev.berth.cel.value.CelException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.function.ToLongFunction;

/** Parts of timestamps and durations. */
final class TimeFunctions {
  private TimeFunctions() {}

  static void addTo(FunctionTable table) {
    part(table, "getFullYear", "timestamp_to_year", LocalDateTime::getYear);
    part(table, "getMonth", "timestamp_to_month", time -> time.getMonthValue() - 1);
    part(table, "getDayOfYear", "timestamp_to_day_of_year", time -> time.getDayOfYear() - 1);
    part(table, "getDayOfMonth", "timestamp_to_day_of_month", time -> time.getDayOfMonth() - 1);
    part(table, "getDate", "timestamp_to_day_of_month_1_based", LocalDateTime::getDayOfMonth);
    part(
        table,
        "getDayOfWeek",
        "timestamp_to_day_of_week",
        time -> time.getDayOfWeek().getValue() % 7);
    part(table, "getHours", "timestamp_to_hours", LocalDateTime::getHour);
    part(table, "getMinutes", "timestamp_to_minutes", LocalDateTime::getMinute);
    part(table, "getSeconds", "timestamp_to_seconds", LocalDateTime::getSecond);
    part(
        table,
        "getMilliseconds",
        "timestamp_to_milliseconds",
        time -> time.get(ChronoField.MILLI_OF_SECOND));
    whole(table, "getHours", "duration_to_hours", Duration::toHours);
    whole(table, "getMinutes", "duration_to_minutes", Duration::toMinutes);
    whole(
        table, "getSeconds", "duration_to_seconds", duration -> duration.toNanos() / 1_000_000_000);
    whole(
        table,
        "getMilliseconds",
        "duration_to_milliseconds",
        duration -> duration.toNanos() / 1_000_000);
  }

  private static void part(
      FunctionTable table, String function, String id, ToLongFunction<LocalDateTime> part) {
    table.add(
        function,
        member(
            id,
            INT,
            args -> part.applyAsLong(LocalDateTime.ofInstant((Instant) args[0], ZoneOffset.UTC)),
            TIMESTAMP),
        member(
            id + "_with_tz",
            INT,
            args ->
                part.applyAsLong(
                    LocalDateTime.ofInstant((Instant) args[0], zone((String) args[1]))),
            TIMESTAMP,
            STRING));
  }

  private static void whole(
      FunctionTable table, String function, String id, ToLongFunction<Duration> part) {
    table.add(function, member(id, INT, args -> part.applyAsLong((Duration) args[0]), DURATION));
  }

  private static ZoneId zone(String name) {
    try {
      boolean offset = !name.isEmpty() && "+-0123456789".indexOf(name.charAt(0)) >= 0;
      if (!offset) {
        return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
      }
      return ZoneOffset.of(Character.isDigit(name.charAt(0)) ? "+" + name : name);
    } catch (DateTimeException e) {
      throw new CelException("unknown time zone " + name);
    }
  }
}
