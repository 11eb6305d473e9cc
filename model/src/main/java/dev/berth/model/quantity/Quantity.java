package dev.berth.model.quantity;

import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonNumber;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * An exact amount of a resource, with the family of suffixes it is written in. Immutable.
 *
 * <p>Nearly every amount is a long times a power of ten, and is held as that; the rest is a {@link
 * BigDecimal}. Arithmetic is exact in both and moves to the second only when the first overflows.
 *
 * <p>Equality is by amount, as in Kubernetes: {@code 1Ki}, {@code 1024} and {@code 1.024e3} are
 * equal and compare as equal. Which one it is shows in {@link #toString} alone.
 */
public final class Quantity implements Comparable<Quantity> {
  public static final Quantity ZERO = new Quantity(0, 0, null, QuantityFormat.DECIMAL_SI);

  private static final int MILLI = -3;

  /** The amount is this times ten to the exponent, unless {@link #large} is set. */
  private final long unscaled;

  private final int exponent;
  private final @Nullable BigDecimal large;
  private final QuantityFormat format;

  private Quantity(long unscaled, int exponent, @Nullable BigDecimal large, QuantityFormat format) {
    this.unscaled = unscaled;
    this.exponent = exponent;
    this.large = large;
    this.format = format;
  }

  /**
   * Reads a quantity in any form Kubernetes accepts.
   *
   * @throws QuantityFormatException if the text is no quantity
   */
  public static Quantity parse(String text) {
    return QuantityParser.parse(text);
  }

  /**
   * Reads a quantity from an object's tree, where it may be a string or a bare number.
   *
   * @throws QuantityFormatException if the value is no quantity
   */
  public static Quantity fromTree(Object value) {
    return switch (value) {
      case String text -> parse(text.strip());
      case Long number -> of(number);
      case JsonNumber number -> parse(number.text());
      default ->
          throw new QuantityFormatException(
              "a quantity is a string or a number, not " + JsonKind.of(value).withArticle());
    };
  }

  public static Quantity of(long amount) {
    return of(amount, QuantityFormat.DECIMAL_SI);
  }

  public static Quantity of(long amount, QuantityFormat format) {
    return scaled(amount, 0, format);
  }

  /** Thousandths, as CPU is usually counted. */
  public static Quantity ofMillis(long thousandths) {
    return ofMillis(thousandths, QuantityFormat.DECIMAL_SI);
  }

  public static Quantity ofMillis(long thousandths, QuantityFormat format) {
    return scaled(thousandths, MILLI, format);
  }

  static Quantity of(BigDecimal amount, QuantityFormat format) {
    BigDecimal stripped = amount.stripTrailingZeros();
    return stripped.unscaledValue().bitLength() < Long.SIZE
        ? scaled(stripped.unscaledValue().longValue(), -stripped.scale(), format)
        : new Quantity(0, 0, stripped, format);
  }

  static Quantity scaled(long unscaled, int exponent, QuantityFormat format) {
    return new Quantity(unscaled, unscaled == 0 ? 0 : exponent, null, format);
  }

  /** The sum, in this quantity's format unless this is zero. */
  public Quantity plus(Quantity other) {
    QuantityFormat kept = isZero() ? other.format : format;
    if (large == null && other.large == null) {
      int common = Math.min(exponent, other.exponent);
      long a = PowersOfTen.times(unscaled, exponent - common);
      long b = PowersOfTen.times(other.unscaled, other.exponent - common);
      long sum = a + b;
      boolean fits = a != PowersOfTen.OVERFLOW && b != PowersOfTen.OVERFLOW;
      if (fits && ((a ^ sum) & (b ^ sum)) >= 0) {
        return scaled(sum, common, kept);
      }
    }
    return of(amount().add(other.amount()), kept);
  }

  /** The difference, in this quantity's format unless this is zero. */
  public Quantity minus(Quantity other) {
    return plus(other.negate());
  }

  public Quantity times(long factor) {
    if (large == null) {
      long low = unscaled * factor;
      if (Math.multiplyHigh(unscaled, factor) == low >> 63) {
        return scaled(low, exponent, format);
      }
    }
    return of(amount().multiply(BigDecimal.valueOf(factor)), format);
  }

  public Quantity negate() {
    return large == null && unscaled != Long.MIN_VALUE
        ? scaled(-unscaled, exponent, format)
        : of(amount().negate(), format);
  }

  public int signum() {
    return large == null ? Long.signum(unscaled) : large.signum();
  }

  public boolean isZero() {
    return signum() == 0;
  }

  public QuantityFormat format() {
    return format;
  }

  /** The amount as a whole number, rounded away from zero; the nearest long if none holds it. */
  public long value() {
    return roundedTo(0);
  }

  /** The amount in thousandths, rounded away from zero; the nearest long if none holds it. */
  public long milliValue() {
    return roundedTo(MILLI);
  }

  private long roundedTo(int place) {
    if (large != null) {
      return saturated(large.setScale(-place, RoundingMode.UP).unscaledValue());
    }
    int shift = exponent - place;
    if (shift < 0) {
      return PowersOfTen.divideUp(unscaled, -shift);
    }
    long value = PowersOfTen.times(unscaled, shift);
    return value == PowersOfTen.OVERFLOW ? limit() : value;
  }

  private long saturated(BigInteger value) {
    return value.bitLength() < Long.SIZE ? value.longValue() : limit();
  }

  private long limit() {
    return signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /** The exact amount. */
  public BigDecimal amount() {
    return large == null ? BigDecimal.valueOf(unscaled, -exponent) : large;
  }

  @Override
  public int compareTo(Quantity other) {
    if (large == null && other.large == null) {
      int common = Math.min(exponent, other.exponent);
      long a = PowersOfTen.times(unscaled, exponent - common);
      long b = PowersOfTen.times(other.unscaled, other.exponent - common);
      if (a != PowersOfTen.OVERFLOW && b != PowersOfTen.OVERFLOW) {
        return Long.compare(a, b);
      }
    }
    return amount().compareTo(other.amount());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return amount().stripTrailingZeros().hashCode();
  }

  /**
   * The canonical form: no fraction, the largest suffix that loses nothing, no sign unless
   * negative.
   *
   * <p>A binary quantity that is within 1024 of zero or not whole is written with decimal suffixes,
   * and a decimal one beyond the suffix {@code E} with an exponent.
   */
  @Override
  public String toString() {
    return large == null
        ? QuantityText.write(unscaled, exponent, format)
        : QuantityText.write(large, format);
  }
}
