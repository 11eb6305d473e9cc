package dev.berth.cel.check;

/** Arithmetic of unsigned 64-bit numbers that stays at the largest instead of overflowing. */
final class Unsigned {
  static final long MAX = -1L;
  private static final double TWO_TO_64 = 0x1p64;

  private Unsigned() {}

  static long add(long a, long b) {
    long sum = a + b;
    return Long.compareUnsigned(sum, a) < 0 ? MAX : sum;
  }

  static long multiply(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) != 0 ? MAX : a * b;
  }

  static long scale(long a, double factor) {
    double product = Math.ceil(toDouble(a) * factor);
    return product >= TWO_TO_64 ? MAX : fromDouble(product);
  }

  static double toDouble(long a) {
    double low = a & Long.MAX_VALUE;
    return a < 0 ? low + 0x1p63 : low;
  }

  static long fromDouble(double a) {
    return a < 0x1p63 ? (long) a : (long) (a - 0x1p63) ^ Long.MIN_VALUE;
  }

  static long min(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? a : b;
  }

  static long max(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? b : a;
  }
}
