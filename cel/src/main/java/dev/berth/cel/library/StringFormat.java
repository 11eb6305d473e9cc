package dev.berth.cel.library;

import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonNull;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code "%d of %s".format([1, 'x'])}. */
final class StringFormat {
  private static final int DEFAULT_PRECISION = 6;

  private StringFormat() {}

  static String format(String format, Object list) {
    List<Object> args = Values.asList(list);
    int count = args == null ? 0 : args.size();
    StringBuilder text = new StringBuilder();
    int next = 0;
    int i = -1;
    while (++i < format.length()) {
      char c = format.charAt(i);
      if (c != '%') {
        text.append(c);
        continue;
      }
      if (i + 1 < format.length() && format.charAt(i + 1) == '%') {
        text.append('%');
        i++;
        continue;
      }
      if (args == null || next >= count) {
        throw new CelException("index " + next + " out of range");
      }
      if (i + 1 >= format.length()) {
        throw new CelException("unexpected end of string");
      }
      Object arg = Values.fromTree(args.get(next++));
      int precision = DEFAULT_PRECISION;
      i++;
      if (format.charAt(i) == '.') {
        int end = i + 1;
        while (end < format.length() && Character.isDigit(format.charAt(end))) {
          end++;
        }
        if (end == i + 1 || end >= format.length()) {
          throw new CelException("error while parsing precision: unexpected end of string");
        }
        precision = Integer.parseInt(format, i + 1, Math.min(end, i + 4), 10);
        i = end;
      }
      text.append(clause(format.charAt(i), precision, arg));
    }
    return text.toString();
  }

  private static String clause(char kind, int precision, Object arg) {
    return switch (kind) {
      case 's' -> string(arg);
      case 'd' -> decimal(arg);
      case 'f' -> fixed(arg, precision);
      case 'e' -> scientific(arg, precision);
      case 'b' -> binary(arg);
      case 'x' -> hex(arg);
      case 'X' -> hex(arg).toUpperCase(Locale.ROOT);
      case 'o' -> octal(arg);
      default ->
          throw new CelException(
              "could not parse formatting clause: unrecognized formatting clause \"" + kind + "\"");
    };
  }

  private static CelException wrongType(String clause, String allowed, Object arg) {
    return new CelException(
        "error during formatting: "
            + clause
            + " clause can only be used on "
            + allowed
            + ", was given "
            + Values.typeName(arg));
  }

  static String string(Object arg) {
    return switch (arg) {
      case String text -> text;
      case JsonNull _ -> "null";
      case Boolean _, Long _, UnsignedInt _ -> arg.toString();
      case Double number -> GoNumbers.shortest(number);
      case CelBytes bytes -> {
        String text = bytes.text();
        yield text == null ? "" : text;
      }
      case Duration duration -> GoDurations.seconds(duration);
      case Instant instant -> Timestamps.print(instant);
      case CelType type -> type.name();
      default -> {
        if (Values.isList(arg) || Values.isMap(arg)) {
          yield nested(arg);
        }
        throw new CelException(
            "error during formatting: string clause can only be used on strings, bools, bytes,"
                + " ints, doubles, maps, lists, types, durations, and timestamps, was given "
                + Values.typeName(arg));
      }
    };
  }

  private static String nested(Object arg) {
    return switch (arg) {
      case String text -> GoNumbers.quote(text);
      case CelBytes _ -> "b" + GoNumbers.quote(string(arg));
      case Double number ->
          Double.isFinite(number)
              ? String.format(Locale.ROOT, "%.6f", number)
              : GoNumbers.quote(GoNumbers.shortest(number));
      case Instant instant -> "timestamp(" + GoNumbers.quote(Timestamps.print(instant)) + ")";
      case Duration duration -> "duration(" + GoNumbers.quote(GoDurations.seconds(duration)) + ")";
      default -> {
        List<Object> list = Values.asList(arg);
        if (list != null) {
          yield list.stream()
              .map(element -> nested(Values.fromTree(element)))
              .collect(Collectors.joining(", ", "[", "]"));
        }
        Iterable<Object> keys = Values.keys(arg);
        if (keys == null) {
          yield string(arg);
        }
        SortedMap<String, String> entries = new TreeMap<>();
        for (Object key : keys) {
          Object value = Values.lookUp(arg, key);
          entries.put(nested(key), value == null ? "" : nested(value));
        }
        yield entries.entrySet().stream()
            .map(entry -> entry.getKey() + ":" + entry.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
      }
    };
  }

  private static String decimal(Object arg) {
    if (arg instanceof Long || arg instanceof UnsignedInt) {
      return arg.toString();
    }
    throw wrongType("decimal", "integers", arg);
  }

  private static double number(Object arg, String clause) {
    if (arg instanceof Double number) {
      return number;
    }
    if (arg instanceof String text) {
      switch (text) {
        case "NaN" -> {
          return Double.NaN;
        }
        case "Infinity" -> {
          return Double.POSITIVE_INFINITY;
        }
        case "-Infinity" -> {
          return Double.NEGATIVE_INFINITY;
        }
        default -> {}
      }
    }
    throw wrongType(clause, "doubles", arg);
  }

  private static String fixed(Object arg, int precision) {
    double number = number(arg, "fixed-point");
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "∞" : "-∞";
    }
    return String.format(Locale.US, "%,." + precision + "f", number);
  }

  private static String scientific(Object arg, int precision) {
    double number = number(arg, "scientific");
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "∞" : "-∞";
    }
    String text = String.format(Locale.US, "%." + precision + "e", number);
    int e = text.indexOf('e');
    int exponent = Integer.parseInt(text.substring(e + 1));
    String sign = exponent < 0 ? "⁻" : "";
    StringBuilder power = new StringBuilder();
    for (char digit : "%02d".formatted(Math.abs(exponent)).toCharArray()) {
      power.append("⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(digit - '0'));
    }
    return text.substring(0, e) + "×10" + sign + power;
  }

  private static String binary(Object arg) {
    return switch (arg) {
      case Boolean flag -> flag ? "1" : "0";
      case Long _, UnsignedInt _ -> new BigInteger(arg.toString()).toString(2);
      default -> throw wrongType("binary", "integers and bools", arg);
    };
  }

  private static String hex(Object arg) {
    return switch (arg) {
      case Long _, UnsignedInt _ -> new BigInteger(arg.toString()).toString(16);
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case CelBytes bytes -> HexFormat.of().formatHex(bytes.toArray());
      default -> throw wrongType("hex", "integers, byte buffers, and strings", arg);
    };
  }

  private static String octal(Object arg) {
    return switch (arg) {
      case Long _, UnsignedInt _ -> new BigInteger(arg.toString()).toString(8);
      default -> throw wrongType("octal", "integers", arg);
    };
  }
}
