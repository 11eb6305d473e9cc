package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.Values;
import java.util.List;
import java.util.function.UnaryOperator;

/** A comprehension: a loop over a list or a map's keys that changes an accumulator. */
final class FoldNode extends Node {
  /** Its parts as nodes. */
  record Parts(Node range, Node init, Node condition, Node step, Node result) {}

  /**
   * Where its variables are kept.
   *
   * @param second the slot of a second variable, the value at an index or key; -1 for none
   */
  record Slots(int accumulator, int first, int second) {}

  private final Parts parts;
  private final Slots slots;
  private final UnaryOperator<Object> elements;

  /**
   * @param elements makes them values of the type that a schema gives to them
   */
  FoldNode(Parts parts, Slots slots, UnaryOperator<Object> elements) {
    this.parts = parts;
    this.slots = slots;
    this.elements = elements;
  }

  @Override
  Object eval(Frame frame) {
    Object range = parts.range().eval(frame);
    Object accumulator;
    try {
      accumulator = parts.init().eval(frame);
    } catch (CelException e) {
      accumulator = e;
    }
    if (accumulator instanceof List<?> list && list.isEmpty()) {
      accumulator = new GrowingList();
    }
    frame.locals[slots.accumulator()] = accumulator;
    loop(frame, range);
    Object result = parts.result().eval(frame);
    if (result instanceof GrowingList list) {
      list.finish();
    }
    return result;
  }

  private void loop(Frame frame, Object range) {
    List<Object> list = Values.asList(range);
    if (list != null) {
      for (int i = 0; i < list.size(); i++) {
        Object element = elements.apply(Values.fromTree(list.get(i)));
        if (slots.second() < 0) {
          frame.locals[slots.first()] = element;
        } else {
          frame.locals[slots.first()] = (long) i;
          frame.locals[slots.second()] = element;
        }
        if (!step(frame)) {
          return;
        }
      }
      return;
    }
    Iterable<Object> keys = Values.keys(range);
    if (keys == null) {
      throw new CelException("got '" + Values.typeName(range) + "', expected iterable type");
    }
    for (Object key : keys) {
      frame.locals[slots.first()] = key;
      if (slots.second() >= 0) {
        Object value = Values.lookUp(range, key);
        frame.locals[slots.second()] =
            value == null ? new CelException("no such key: " + key) : elements.apply(value);
      }
      if (!step(frame)) {
        return;
      }
    }
  }

  private boolean step(Frame frame) {
    try {
      if (Boolean.FALSE.equals(parts.condition().eval(frame))) {
        return false;
      }
    } catch (CelException e) {
      // A condition that fails does not end the loop: the accumulator holds the error.
      frame.charge(0);
    }
    Object next;
    try {
      next = parts.step().eval(frame);
    } catch (CelException e) {
      next = e;
    }
    frame.locals[slots.accumulator()] = next;
    return true;
  }
}
