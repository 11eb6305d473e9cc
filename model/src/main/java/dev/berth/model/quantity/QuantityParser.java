package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Reads one quantity: an optional sign, digits with at most one dot, and a suffix.
 *
 * <ol>
 *   <li>A number without digits is zero, as Kubernetes has it: {@code .} and {@code Ki} are read.
 *   <li>What is finer than a billionth is rounded away from zero.
 *   <li>A binary quantity is at most 2^63-1 in magnitude; a greater one becomes that.
 *   <li>A binary quantity below one is a decimal one from then on.
 *   <li>Texts and exponents beyond {@link #LONGEST} and {@link #GREATEST_EXPONENT} are errors,
 *       where Kubernetes computes for as long as it takes.
 * </ol>
 */
final class QuantityParser {
  /** The most characters a quantity may have. */
  static final int LONGEST = 100;

  /** The greatest power of ten it may name. */
  static final int GREATEST_EXPONENT = 100;

  private static final int NANO = -9;

  /** Any number with this many digits fits into a long. */
  private static final int DIGITS_OF_LONG = 18;

  private static final BigDecimal BINARY_LIMIT = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final String WRONG_FORMAT =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  private static final String WRONG_SUFFIX = "unable to parse quantity's suffix";

  private final String text;
  private final boolean negative;
  private int at;

  private long digits;
  private int digitCount;
  private int fractionDigits;

  private QuantityParser(String text) {
    this.text = text;
    this.negative = text.startsWith("-");
    this.at = negative || text.startsWith("+") ? 1 : 0;
  }

  static Quantity parse(String text) {
    if (text.isEmpty()) {
      throw new QuantityFormatException(WRONG_FORMAT);
    }
    if (text.length() > LONGEST) {
      throw new QuantityFormatException(
          "a quantity has at most " + LONGEST + " characters, found " + text.length());
    }
    return new QuantityParser(text).quantity();
  }

  private Quantity quantity() {
    int numberStart = at;
    readDigits();
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      int fractionStart = at;
      readDigits();
      fractionDigits = at - fractionStart;
    }
    String number = digitCount > DIGITS_OF_LONG ? text.substring(numberStart, at) : "";
    String suffix = suffix();
    int binary = binaryPower(suffix);
    return binary > 0 ? binary(number, binary) : decimal(number, suffix);
  }

  /** Reads what digits there are; beyond a long's they are only counted. */
  private void readDigits() {
    while (at < text.length() && isDigit(text.charAt(at))) {
      int digit = text.charAt(at) - '0';
      if (digitCount > 0 || digit != 0) {
        digitCount++;
        digits = digitCount > DIGITS_OF_LONG ? digits : 10 * digits + digit;
      }
      at++;
    }
  }

  /** The rest of the text, if it could be a suffix. */
  private String suffix() {
    int start = at;
    while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    if (at < text.length()) {
      throw new QuantityFormatException(WRONG_FORMAT);
    }
    return text.substring(start);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private Quantity binary(String number, int power) {
    if (number.isEmpty() && digits <= Long.MAX_VALUE >> power) {
      return rounded(digits << power, -fractionDigits, QuantityFormat.BINARY_SI);
    }
    BigDecimal factor = new BigDecimal(BigInteger.ONE.shiftLeft(power));
    return rounded(exact(number, 0).multiply(factor), QuantityFormat.BINARY_SI);
  }

  private Quantity decimal(String number, String suffix) {
    int power = decimalPower(suffix);
    QuantityFormat format =
        suffix.length() > 1 ? QuantityFormat.DECIMAL_EXPONENT : QuantityFormat.DECIMAL_SI;
    return number.isEmpty()
        ? rounded(digits, power - fractionDigits, format)
        : rounded(exact(number, power), format);
  }

  private BigDecimal exact(String number, int power) {
    return number.isEmpty()
        ? BigDecimal.valueOf(digits, fractionDigits - power)
        : new BigDecimal(number).scaleByPowerOfTen(power);
  }

  private Quantity rounded(long magnitude, int exponent, QuantityFormat format) {
    long amount = exponent < NANO ? PowersOfTen.divideUp(magnitude, NANO - exponent) : magnitude;
    int power = Math.max(exponent, NANO);
    boolean belowOne = amount != 0 && power < 0 && PowersOfTen.isBelow(amount, -power);
    return Quantity.scaled(negative ? -amount : amount, power, adjusted(format, belowOne));
  }

  private Quantity rounded(BigDecimal magnitude, QuantityFormat format) {
    BigDecimal amount =
        magnitude.scale() > -NANO ? magnitude.setScale(-NANO, RoundingMode.UP) : magnitude;
    if (format == QuantityFormat.BINARY_SI) {
      amount = amount.min(BINARY_LIMIT);
    }
    boolean belowOne = amount.compareTo(BigDecimal.ONE) < 0;
    return Quantity.of(negative ? amount.negate() : amount, adjusted(format, belowOne));
  }

  private static QuantityFormat adjusted(QuantityFormat format, boolean belowOne) {
    return format == QuantityFormat.BINARY_SI && belowOne ? QuantityFormat.DECIMAL_SI : format;
  }

  /** The power of two that a suffix stands for, or 0 if it is no binary one. */
  private static int binaryPower(String suffix) {
    return switch (suffix) {
      case "Ki" -> 10;
      case "Mi" -> 20;
      case "Gi" -> 30;
      case "Ti" -> 40;
      case "Pi" -> 50;
      case "Ei" -> 60;
      default -> 0;
    };
  }

  private static int decimalPower(String suffix) {
    return switch (suffix) {
      case "n" -> -9;
      case "u" -> -6;
      case "m" -> -3;
      case "" -> 0;
      case "k" -> 3;
      case "M" -> 6;
      case "G" -> 9;
      case "T" -> 12;
      case "P" -> 15;
      case "E" -> 18;
      default -> exponent(suffix);
    };
  }

  /** The figure after the {@code e} of a suffix that {@link #suffix} found well formed. */
  private static int exponent(String suffix) {
    char sign = suffix.length() > 1 ? suffix.charAt(1) : ' ';
    int start = sign == '-' || sign == '+' ? 2 : 1;
    boolean wellFormed =
        (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')
            && suffix.length() > start
            && isDigit(suffix.charAt(start));
    if (!wellFormed) {
      throw new QuantityFormatException(WRONG_SUFFIX);
    }
    int exponent = 0;
    for (int i = start; i < suffix.length(); i++) {
      exponent = Math.min(10 * exponent + suffix.charAt(i) - '0', GREATEST_EXPONENT + 1);
    }
    if (exponent > GREATEST_EXPONENT) {
      throw new QuantityFormatException(
          "a quantity's exponent is between -%d and %d, found %s"
              .formatted(GREATEST_EXPONENT, GREATEST_EXPONENT, suffix));
    }
    return sign == '-' ? -exponent : exponent;
  }
}
