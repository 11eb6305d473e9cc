package dev.berth.model.quantity;

/** Shifts longs by decimal places. */
final class PowersOfTen {
  /** Stands for a product that no long holds; the lowest long itself counts as one. */
  static final long OVERFLOW = Long.MIN_VALUE;

  private static final long[] POWERS = new long[19];

  static {
    long power = 1;
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power;
      power *= 10;
    }
  }

  private PowersOfTen() {}

  /** The value times ten to the places, or {@link #OVERFLOW}. */
  static long times(long value, int places) {
    if (places == 0 || value == 0) {
      return value;
    }
    if (places >= POWERS.length) {
      return OVERFLOW;
    }
    long low = value * POWERS[places];
    return Math.multiplyHigh(value, POWERS[places]) == low >> 63 ? low : OVERFLOW;
  }

  /** The value divided by ten to the places, rounded away from zero. */
  static long divideUp(long value, int places) {
    if (places >= POWERS.length) {
      return Long.signum(value);
    }
    long quotient = value / POWERS[places];
    return value % POWERS[places] == 0 ? quotient : quotient + Long.signum(value);
  }

  /** Whether a positive value is less than ten to the places. */
  static boolean isBelow(long value, int places) {
    return places >= POWERS.length || value < POWERS[places];
  }
}
