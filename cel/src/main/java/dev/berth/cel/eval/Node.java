package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;

/** A step of a plan. */
abstract class Node {
  abstract Object eval(Frame frame);

  /** The value as a condition; fails if it is no boolean. */
  final boolean test(Frame frame) {
    if (eval(frame) instanceof Boolean flag) {
      return flag;
    }
    throw CelException.noSuchOverload();
  }

  /** A value that is known before anything is evaluated; it costs nothing. */
  static final class Constant extends Node {
    final Object value;

    Constant(Object value) {
      this.value = value;
    }

    @Override
    Object eval(Frame frame) {
      return value;
    }
  }
}
