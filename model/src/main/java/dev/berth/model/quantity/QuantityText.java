package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Writes amounts in canonical form; {@link Quantity#toString} says what that is. */
final class QuantityText {
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  private static final String[] DECIMAL = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};

  private static final int NANO = -9;
  private static final int KIBI = 1024;
  private static final int KIBI_BITS = 10;

  private QuantityText() {}

  static String write(long unscaled, int exponent, QuantityFormat format) {
    if (format == QuantityFormat.BINARY_SI && exponent != 0) {
      return write(BigDecimal.valueOf(unscaled, -exponent), format);
    }
    return format == QuantityFormat.BINARY_SI && (unscaled >= KIBI || unscaled <= -KIBI)
        ? binary(unscaled)
        : decimal(unscaled, exponent, format);
  }

  static String write(BigDecimal amount, QuantityFormat format) {
    BigDecimal stripped = amount.stripTrailingZeros();
    boolean binary =
        format == QuantityFormat.BINARY_SI
            && stripped.scale() <= 0
            && stripped.abs().compareTo(BigDecimal.valueOf(KIBI)) >= 0;
    return binary ? binary(stripped.toBigIntegerExact()) : decimal(stripped, format);
  }

  private static String binary(long amount) {
    long number = amount;
    int suffix = 0;
    while (number % KIBI == 0 && suffix < BINARY.length - 1) {
      number /= KIBI;
      suffix++;
    }
    return number + BINARY[suffix];
  }

  private static String binary(BigInteger amount) {
    int suffix = Math.min(amount.getLowestSetBit() / KIBI_BITS, BINARY.length - 1);
    return amount.shiftRight(suffix * KIBI_BITS) + BINARY[suffix];
  }

  private static String decimal(long unscaled, int exponent, QuantityFormat format) {
    if (unscaled == 0) {
      return "0";
    }
    long number = unscaled;
    int power = exponent;
    while (number % 10 == 0) {
      number /= 10;
      power++;
    }
    int places = Math.floorMod(power, 3);
    long shifted = PowersOfTen.times(number, places);
    return shifted == PowersOfTen.OVERFLOW
        ? decimal(BigDecimal.valueOf(number, -power), format)
        : shifted + suffix(power - places, format);
  }

  private static String decimal(BigDecimal stripped, QuantityFormat format) {
    int power = -stripped.scale();
    int places = Math.floorMod(power, 3);
    BigInteger shifted = stripped.unscaledValue().multiply(BigInteger.TEN.pow(places));
    return shifted + suffix(power - places, format);
  }

  /** Amounts are multiples of a billionth, so only too large a power has no suffix of its own. */
  private static String suffix(int power, QuantityFormat format) {
    int index = (power - NANO) / 3;
    if (format != QuantityFormat.DECIMAL_EXPONENT && index >= 0 && index < DECIMAL.length) {
      return DECIMAL[index];
    }
    return power == 0 ? "" : "e" + power;
  }
}
