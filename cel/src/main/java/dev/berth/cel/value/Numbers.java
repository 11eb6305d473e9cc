package dev.berth.cel.value;

import dev.berth.model.tree.JsonNumber;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Arithmetic of the language: no overflow goes unnoticed, and numbers of all types compare. */
public final class Numbers {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Numbers() {}

  private static CelException overflow() {
    return new CelException("integer overflow");
  }

  private static CelException unsignedOverflow() {
    return new CelException("unsigned integer overflow");
  }

  private static CelException dividedByZero() {
    return new CelException("division by zero");
  }

  private static CelException modulusByZero() {
    return new CelException("modulus by zero");
  }

  static boolean equal(Object a, Object b) {
    return isNumber(a) && isNumber(b) && !isNan(a) && !isNan(b) && compareOrdered(a, b) == 0;
  }

  static int compare(Object a, Object b) {
    if (!isNumber(b)) {
      throw CelException.noSuchOverload();
    }
    if (isNan(a) || isNan(b)) {
      throw new CelException("NaN values cannot be ordered");
    }
    return compareOrdered(a, b);
  }

  private static boolean isNumber(Object value) {
    return value instanceof Long
        || value instanceof UnsignedInt
        || value instanceof Double
        || value instanceof JsonNumber;
  }

  private static boolean isNan(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  private static int compareOrdered(Object a, Object b) {
    Object x = Values.fromTree(a);
    Object y = Values.fromTree(b);
    if (x instanceof Long first && y instanceof Long second) {
      return Long.compare(first, second);
    }
    if (x instanceof Double first && y instanceof Double second) {
      return first.doubleValue() == second ? 0 : Double.compare(first, second);
    }
    if (x instanceof Double first && first.isInfinite()) {
      return first > 0 ? 1 : -1;
    }
    if (y instanceof Double second && second.isInfinite()) {
      return second > 0 ? -1 : 1;
    }
    return exact(x).compareTo(exact(y));
  }

  private static BigDecimal exact(Object value) {
    return switch (value) {
      case Long number -> BigDecimal.valueOf(number);
      case UnsignedInt number -> new BigDecimal(number.toString());
      case Double number -> new BigDecimal(number);
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object add(Object a, Object b) {
    return switch (a) {
      case Long x when b instanceof Long y -> {
        long sum = x + y;
        if (((x ^ sum) & (y ^ sum)) < 0) {
          throw overflow();
        }
        yield sum;
      }
      case UnsignedInt x when b instanceof UnsignedInt y -> {
        long sum = x.bits() + y.bits();
        if (Long.compareUnsigned(sum, x.bits()) < 0) {
          throw unsignedOverflow();
        }
        yield new UnsignedInt(sum);
      }
      case Double x when b instanceof Double y -> x + y;
      case Duration x when b instanceof Duration y -> checked(() -> x.plus(y));
      case Duration x when b instanceof Instant y -> timestamp(() -> y.plus(x));
      case Instant x when b instanceof Duration y -> timestamp(() -> x.plus(y));
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object subtract(Object a, Object b) {
    return switch (a) {
      case Long x when b instanceof Long y -> {
        long difference = x - y;
        if (((x ^ y) & (x ^ difference)) < 0) {
          throw overflow();
        }
        yield difference;
      }
      case UnsignedInt x when b instanceof UnsignedInt y -> {
        if (x.compareTo(y) < 0) {
          throw unsignedOverflow();
        }
        yield new UnsignedInt(x.bits() - y.bits());
      }
      case Double x when b instanceof Double y -> x - y;
      case Duration x when b instanceof Duration y -> checked(() -> x.minus(y));
      case Instant x when b instanceof Instant y -> checked(() -> Duration.between(y, x));
      case Instant x when b instanceof Duration y -> timestamp(() -> x.minus(y));
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object multiply(Object a, Object b) {
    return switch (a) {
      case Long x when b instanceof Long y -> {
        try {
          yield Math.multiplyExact(x.longValue(), y.longValue());
        } catch (ArithmeticException e) {
          throw overflow();
        }
      }
      case UnsignedInt x when b instanceof UnsignedInt y -> {
        if (Math.unsignedMultiplyHigh(x.bits(), y.bits()) != 0) {
          throw unsignedOverflow();
        }
        yield new UnsignedInt(x.bits() * y.bits());
      }
      case Double x when b instanceof Double y -> x * y;
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object divide(Object a, Object b) {
    return switch (a) {
      case Long x when b instanceof Long y -> {
        if (y == 0) {
          throw dividedByZero();
        }
        if (x == Long.MIN_VALUE && y == -1) {
          throw overflow();
        }
        yield x / y;
      }
      case UnsignedInt x when b instanceof UnsignedInt y -> {
        if (y.bits() == 0) {
          throw dividedByZero();
        }
        yield new UnsignedInt(Long.divideUnsigned(x.bits(), y.bits()));
      }
      case Double x when b instanceof Double y -> x / y;
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object modulo(Object a, Object b) {
    return switch (a) {
      case Long x when b instanceof Long y -> {
        if (y == 0) {
          throw modulusByZero();
        }
        if (x == Long.MIN_VALUE && y == -1) {
          throw overflow();
        }
        yield x % y;
      }
      case UnsignedInt x when b instanceof UnsignedInt y -> {
        if (y.bits() == 0) {
          throw modulusByZero();
        }
        yield new UnsignedInt(Long.remainderUnsigned(x.bits(), y.bits()));
      }
      default -> throw CelException.noSuchOverload();
    };
  }

  public static Object negate(Object a) {
    return switch (a) {
      case Long x -> {
        if (x == Long.MIN_VALUE) {
          throw overflow();
        }
        yield -x;
      }
      case Double x -> -x;
      case Duration x -> checked(x::negated);
      default -> throw CelException.noSuchOverload();
    };
  }

  private interface Computation<T> {
    T run();
  }

  /** A duration has as many nanoseconds as fit into 64 bits. */
  private static Duration checked(Computation<Duration> computation) {
    try {
      return Duration.ofNanos(computation.run().toNanos());
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  private static Instant timestamp(Computation<Instant> computation) {
    try {
      Instant result = computation.run();
      if (result.isBefore(FIRST) || result.isAfter(LAST)) {
        throw new CelException("timestamp overflow");
      }
      return result;
    } catch (DateTimeException | ArithmeticException e) {
      throw new CelException("timestamp overflow");
    }
  }
}
