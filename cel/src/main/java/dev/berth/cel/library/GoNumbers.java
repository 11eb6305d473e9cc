package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers and strings as Go reads and prints them, which users of Kubernetes see. */
final class GoNumbers {
  private GoNumbers() {}

  static long parseInt(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      boolean tooLarge = text.matches("[+-]?[0-9]+");
      throw new CelException(
          "strconv.ParseInt: parsing "
              + quote(text)
              + (tooLarge ? ": value out of range" : ": invalid syntax"));
    }
  }

  /** The shortest text that reads back as the number, as {@code strconv.FormatFloat('g', -1)}. */
  static String shortest(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    BigInteger digits = decimal.unscaledValue();
    int exponent = digits.abs().toString().length() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 21) {
      return decimal.toPlainString();
    }
    String text = digits.abs().toString();
    String mantissa = text.length() == 1 ? text : text.charAt(0) + "." + text.substring(1);
    return (number < 0 ? "-" : "")
        + mantissa
        + "e"
        + (exponent < 0 ? "-" : "+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  /** A string in quotes, as {@code %q} prints it. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case 7 -> quoted.append("\\a");
            case '\b' -> quoted.append("\\b");
            case '\f' -> quoted.append("\\f");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            case 11 -> quoted.append("\\v");
            default -> {
              if (c < 0x20 || c == 0x7f) {
                quoted.append("\\x%02x".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            }
          }
        });
    return quoted.append('"').toString();
  }
}
