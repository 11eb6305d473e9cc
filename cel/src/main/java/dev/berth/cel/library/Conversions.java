package dev.berth.cel.library;

import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.BYTES;
import static dev.berth.cel.value.CelType.DOUBLE;
import static dev.berth.cel.value.CelType.DURATION;
import static dev.berth.cel.value.CelType.DYN;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;
import static dev.berth.cel.value.CelType.TIMESTAMP;
import static dev.berth.cel.value.CelType.UINT;

import dev.berth.cel.library.Overload.Implementation;
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** From one type to another: {@code int("5")}, {@code string(1.5)}. */
final class Conversions {
  private static final Implementation SAME = args -> args[0];

  private Conversions() {}

  static void addTo(FunctionTable table) {
    CelType a = CelType.parameter("A");
    table.add("type", Overload.of("type", CelType.typeOf(a), args -> Values.typeOf(args[0]), a));
    table.add("dyn", Overload.of("to_dyn", DYN, SAME, a));
    table.add(
        "bool",
        Overload.of("bool_to_bool", BOOL, SAME, BOOL),
        Overload.of("string_to_bool", BOOL, args -> bool((String) args[0]), STRING));
    table.add(
        "bytes",
        Overload.of("bytes_to_bytes", BYTES, SAME, BYTES),
        Overload.of(
            "string_to_bytes",
            BYTES,
            args -> new CelBytes(((String) args[0]).getBytes(StandardCharsets.UTF_8)),
            STRING));
    table.add(
        "double",
        Overload.of("double_to_double", DOUBLE, SAME, DOUBLE),
        Overload.of("int64_to_double", DOUBLE, args -> ((Long) args[0]).doubleValue(), INT),
        Overload.of("string_to_double", DOUBLE, args -> doubleOf((String) args[0]), STRING),
        Overload.of("uint64_to_double", DOUBLE, args -> doubleOf((UnsignedInt) args[0]), UINT));
    integers(table);
    table.add(
        "duration",
        Overload.of("duration_to_duration", DURATION, SAME, DURATION),
        Overload.of("int64_to_duration", DURATION, args -> Duration.ofNanos((Long) args[0]), INT),
        Overload.of(
            "string_to_duration", DURATION, args -> GoDurations.parse((String) args[0]), STRING));
    table.add(
        "timestamp",
        Overload.of("timestamp_to_timestamp", TIMESTAMP, SAME, TIMESTAMP),
        Overload.of(
            "int64_to_timestamp", TIMESTAMP, args -> Timestamps.ofSeconds((Long) args[0]), INT),
        Overload.of(
            "string_to_timestamp", TIMESTAMP, args -> Timestamps.parse((String) args[0]), STRING));
    table.add(
        "string",
        Overload.of("string_to_string", STRING, SAME, STRING),
        Overload.of("bool_to_string", STRING, args -> args[0].toString(), BOOL),
        Overload.of("bytes_to_string", STRING, args -> text((CelBytes) args[0]), BYTES),
        Overload.of(
            "double_to_string", STRING, args -> GoNumbers.shortest((Double) args[0]), DOUBLE),
        Overload.of(
            "duration_to_string",
            STRING,
            args -> GoDurations.seconds((Duration) args[0]),
            DURATION),
        Overload.of("int64_to_string", STRING, args -> args[0].toString(), INT),
        Overload.of(
            "timestamp_to_string", STRING, args -> Timestamps.print((Instant) args[0]), TIMESTAMP),
        Overload.of("uint64_to_string", STRING, args -> args[0].toString(), UINT));
  }

  private static void integers(FunctionTable table) {
    table.add(
        "int",
        Overload.of("int64_to_int64", INT, SAME, INT),
        Overload.of("double_to_int64", INT, args -> intOf((Double) args[0]), DOUBLE),
        Overload.of("duration_to_int64", INT, args -> ((Duration) args[0]).toNanos(), DURATION),
        Overload.of("string_to_int64", INT, args -> intOf((String) args[0]), STRING),
        Overload.of(
            "timestamp_to_int64", INT, args -> ((Instant) args[0]).getEpochSecond(), TIMESTAMP),
        Overload.of("uint64_to_int64", INT, args -> intOf((UnsignedInt) args[0]), UINT));
    table.add(
        "uint",
        Overload.of("uint64_to_uint64", UINT, SAME, UINT),
        Overload.of("double_to_uint64", UINT, args -> uintOf((Double) args[0]), DOUBLE),
        Overload.of("int64_to_uint64", UINT, args -> uintOf((Long) args[0]), INT),
        Overload.of("string_to_uint64", UINT, args -> uintOf((String) args[0]), STRING));
  }

  private static boolean bool(String text) {
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default ->
          throw new CelException(
              "strconv.ParseBool: parsing " + GoNumbers.quote(text) + ": invalid syntax");
    };
  }

  private static double doubleOf(String text) {
    try {
      return Double.parseDouble(text.replace("Inf", "Infinity"));
    } catch (NumberFormatException e) {
      throw new CelException(
          "strconv.ParseFloat: parsing " + GoNumbers.quote(text) + ": invalid syntax");
    }
  }

  private static double doubleOf(UnsignedInt number) {
    return Double.parseDouble(number.toString());
  }

  private static long intOf(double number) {
    if (Double.isNaN(number) || number <= -0x1p63 || number >= 0x1p63) {
      throw new CelException("integer overflow");
    }
    return (long) number;
  }

  private static long intOf(String text) {
    return GoNumbers.parseInt(text);
  }

  private static long intOf(UnsignedInt number) {
    if (number.bits() < 0) {
      throw new CelException("integer overflow");
    }
    return number.bits();
  }

  private static UnsignedInt uintOf(double number) {
    if (Double.isNaN(number) || number < 0 || number >= 0x1p64) {
      throw new CelException("unsigned integer overflow");
    }
    return new UnsignedInt(
        number < 0x1p63 ? (long) number : (long) (number - 0x1p63) ^ Long.MIN_VALUE);
  }

  private static UnsignedInt uintOf(long number) {
    if (number < 0) {
      throw new CelException("unsigned integer overflow");
    }
    return new UnsignedInt(number);
  }

  private static UnsignedInt uintOf(String text) {
    try {
      if (text.startsWith("+")) {
        throw new NumberFormatException();
      }
      return new UnsignedInt(Long.parseUnsignedLong(text));
    } catch (NumberFormatException e) {
      throw new CelException(
          "strconv.ParseUint: parsing " + GoNumbers.quote(text) + ": invalid syntax");
    }
  }

  private static String text(CelBytes bytes) {
    String text = bytes.text();
    if (text == null) {
      throw new CelException("invalid UTF-8 in bytes, cannot convert to string");
    }
    return text;
  }
}
