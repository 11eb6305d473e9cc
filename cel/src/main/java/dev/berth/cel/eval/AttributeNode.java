package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A value and the way into it: {@code object.spec.containers[0]}.
 *
 * <p>It costs 1 for itself and 1 for each step of the way. Once a step is optional, all later ones
 * are, and the whole is an optional.
 */
final class AttributeNode extends Node {
  private static final Qualifier[] NONE = {};

  private final Base base;
  private final Qualifier[] qualifiers;

  /** Where the way begins. */
  abstract static class Base {
    abstract Object resolve(Frame frame);

    /** What it costs to begin here. */
    long cost() {
      return 1;
    }
  }

  AttributeNode(Base base) {
    this(base, NONE);
  }

  private AttributeNode(Base base, Qualifier[] qualifiers) {
    this.base = base;
    this.qualifiers = qualifiers;
  }

  /** The same way, one step longer. */
  AttributeNode with(Qualifier next) {
    Qualifier[] longer = Arrays.copyOf(qualifiers, qualifiers.length + 1);
    longer[qualifiers.length] = next;
    return new AttributeNode(base, longer);
  }

  @Override
  Object eval(Frame frame) {
    Object value = resolve(frame);
    frame.charge(base.cost());
    return value;
  }

  /** The value, without the cost of the beginning: what a branch of a condition costs. */
  Object resolve(Frame frame) {
    Object value = base.resolve(frame);
    if (qualifiers.length == 0) {
      return value;
    }
    boolean optional = false;
    if (value instanceof Optional<?> wrapped) {
      if (wrapped.isEmpty()) {
        return wrapped;
      }
      optional = true;
      value = wrapped.get();
    }
    for (Qualifier qualifier : qualifiers) {
      optional |= qualifier.optional;
      Object next = qualifier.find(frame, value);
      if (next == null) {
        if (optional) {
          return Optional.empty();
        }
        frame.charge(1);
        throw qualifier.missing(frame, value);
      }
      frame.charge(1);
      value = next;
    }
    return optional ? Optional.of(value) : value;
  }

  /** Whether a field is there, for {@code has()}. */
  static final class Presence extends Node {
    private final AttributeNode attribute;
    private final Qualifier field;

    Presence(AttributeNode attribute, Qualifier field) {
      this.attribute = attribute;
      this.field = field;
    }

    @Override
    Object eval(Frame frame) {
      Object value = attribute.resolve(frame);
      if (value instanceof Optional<?> optional) {
        if (optional.isEmpty()) {
          return false;
        }
        value = optional.get();
      }
      frame.charge(1);
      return field.find(frame, value) != null;
    }
  }

  static final class Variable extends Base {
    private final String name;
    private final UnaryOperator<Object> conversion;

    Variable(String name, UnaryOperator<Object> conversion) {
      this.name = name;
      this.conversion = conversion;
    }

    @Override
    Object resolve(Frame frame) {
      Object value = frame.variables.get(name);
      if (value == null) {
        throw new CelException("no such attribute(s): " + name);
      }
      return conversion.apply(value);
    }
  }

  /**
   * A variable of a comprehension. An accumulator may hold an error, which whoever reads it gets.
   */
  static final class Local extends Base {
    private final int slot;

    Local(int slot) {
      this.slot = slot;
    }

    @Override
    Object resolve(Frame frame) {
      Object value = frame.locals[slot];
      if (value instanceof CelException error) {
        throw error;
      }
      return value;
    }
  }

  /** The result of something else. */
  static final class Relative extends Base {
    private final Node operand;

    Relative(Node operand) {
      this.operand = operand;
    }

    @Override
    Object resolve(Frame frame) {
      return operand.eval(frame);
    }
  }

  /** One of two, which costs nothing of its own. */
  static final class Conditional extends Base {
    private final Node condition;
    private final Node then;
    private final Node otherwise;

    Conditional(Node condition, Node then, Node otherwise) {
      this.condition = condition;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    Object resolve(Frame frame) {
      Node branch = condition.test(frame) ? then : otherwise;
      return branch instanceof AttributeNode attribute
          ? attribute.resolve(frame)
          : branch.eval(frame);
    }

    @Override
    long cost() {
      return 0;
    }
  }
}
