package dev.berth.cel.eval;

import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.ListSemantics;
import dev.berth.cel.value.Numbers;
import dev.berth.cel.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Operators of two operands whose meaning follows from the values. */
final class OperatorNodes {
  private OperatorNodes() {}

  /** What an operator does with two values. */
  interface Operation {
    Object apply(Object left, Object right);
  }

  /** An operator that costs what its overload says. */
  static final class Binary extends Node {
    private final Node left;
    private final Node right;
    private final Operation operation;
    private final CallCost cost;

    Binary(Node left, Node right, Operation operation, CallCost cost) {
      this.left = left;
      this.right = right;
      this.operation = operation;
      this.cost = cost;
    }

    @Override
    Object eval(Frame frame) {
      Object a = left.eval(frame);
      Object b = right.eval(frame);
      Object result = operation.apply(a, b);
      frame.charge(cost.ofTwo(a, b));
      return result;
    }
  }

  static Operation equality(boolean negated, ListSemantics semantics) {
    if (semantics.kind() == ListSemantics.Kind.ATOMIC) {
      return (a, b) -> Values.equal(a, b) != negated;
    }
    return (a, b) -> ListEquality.equal(a, b, semantics) != negated;
  }

  static Operation comparison(IntPredicate holds) {
    return (a, b) -> holds.test(Values.compare(a, b));
  }

  static Operation addition(ListSemantics semantics) {
    return (a, b) -> {
      if (a instanceof Long || a instanceof Double) {
        return Numbers.add(a, b);
      }
      if (a instanceof String text) {
        if (b instanceof String other) {
          return text.concat(other);
        }
        throw CelException.noSuchOverload();
      }
      List<Object> list = Values.asList(a);
      if (list == null) {
        return a instanceof CelBytes bytes && b instanceof CelBytes other
            ? bytes.plus(other)
            : Numbers.add(a, b);
      }
      List<Object> others = Values.asList(b);
      if (others == null) {
        throw CelException.noSuchOverload();
      }
      if (list instanceof GrowingList growing && growing.isGrowing()) {
        growing.addAll(others);
        return growing;
      }
      if (semantics.kind() != ListSemantics.Kind.ATOMIC) {
        return ListEquality.unite(list, others, semantics);
      }
      List<Object> sum = new ArrayList<>(list.size() + others.size());
      sum.addAll(list);
      sum.addAll(others);
      return sum;
    };
  }

  /** Whether an element is in a list, or a key in a map. */
  static boolean contains(Object element, Object container) {
    List<Object> list = Values.asList(container);
    if (list != null) {
      for (Object other : list) {
        if (Values.equal(other, element)) {
          return true;
        }
      }
      return false;
    }
    if (!Values.isMap(container)) {
      throw CelException.noSuchOverload();
    }
    return Values.lookUp(container, element) != null;
  }

  /** Membership in a list of constants, which costs nothing but its element. */
  static final class InConstants extends Node {
    private final Node element;
    private final List<Object> constants;

    InConstants(Node element, List<Object> constants) {
      this.element = element;
      this.constants = constants;
    }

    @Override
    Object eval(Frame frame) {
      return contains(element.eval(frame), constants);
    }
  }

  static final class Negate extends Node {
    private final Node operand;

    Negate(Node operand) {
      this.operand = operand;
    }

    @Override
    Object eval(Frame frame) {
      Object value = Numbers.negate(operand.eval(frame));
      frame.charge(1);
      return value;
    }
  }
}
