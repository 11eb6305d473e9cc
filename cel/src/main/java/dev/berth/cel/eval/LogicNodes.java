package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operators that may not need, or may survive, all of their operands. */
final class LogicNodes {
  private LogicNodes() {}

  /**
   * {@code &&} and {@code ||}: an operand that decides makes up for an error of the other.
   *
   * <p>They cost nothing themselves.
   */
  static final class Junction extends Node {
    private final Node left;
    private final Node right;
    private final boolean deciding;

    /**
     * @param deciding the value that decides by itself: false for "and", true for "or"
     */
    Junction(Node left, Node right, boolean deciding) {
      this.left = left;
      this.right = right;
      this.deciding = deciding;
    }

    @Override
    Object eval(Frame frame) {
      CelException error = null;
      try {
        if (left.test(frame) == deciding) {
          return deciding;
        }
      } catch (CelException e) {
        error = e;
      }
      try {
        if (right.test(frame) == deciding) {
          return deciding;
        }
      } catch (CelException e) {
        throw error == null ? e : error;
      }
      if (error != null) {
        throw error;
      }
      return !deciding;
    }
  }

  static final class Not extends Node {
    private final Node operand;

    Not(Node operand) {
      this.operand = operand;
    }

    @Override
    Object eval(Frame frame) {
      boolean value = operand.test(frame);
      frame.charge(1);
      return !value;
    }
  }

  /** Whether a loop may go on: an error may still be made up for. */
  static final class NotStrictlyFalse extends Node {
    private final Node operand;

    NotStrictlyFalse(Node operand) {
      this.operand = operand;
    }

    @Override
    Object eval(Frame frame) {
      boolean result;
      try {
        result = !Boolean.FALSE.equals(operand.eval(frame));
      } catch (CelException e) {
        result = true;
      }
      frame.charge(1);
      return result;
    }
  }

  /** {@code or} and {@code orValue} of optionals, which need their argument only if empty. */
  static final class OptionalOr extends Node {
    private final Node optional;
    private final Node otherwise;
    private final boolean unwrap;

    OptionalOr(Node optional, Node otherwise, boolean unwrap) {
      this.optional = optional;
      this.otherwise = otherwise;
      this.unwrap = unwrap;
    }

    @Override
    Object eval(Frame frame) {
      Object value = optional.eval(frame);
      if (!(value instanceof Optional<?> wrapped)) {
        return value;
      }
      @Nullable Object inner = wrapped.orElse(null);
      if (inner == null) {
        return otherwise.eval(frame);
      }
      return unwrap ? inner : value;
    }
  }
}
