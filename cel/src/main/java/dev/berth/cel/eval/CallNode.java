package dev.berth.cel.eval;

import dev.berth.cel.library.Overload;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.Values;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A call of a function of the library, by the overload that the arguments' types choose. */
final class CallNode extends Node {
  private final String function;
  private final Overload[] overloads;
  private final Node[] args;
  private final CallCost cost;

  /**
   * @param overloads those that may be meant, in the order in which they are tried
   */
  CallNode(String function, List<Overload> overloads, Node[] args, CallCost cost) {
    this.function = function;
    this.overloads = overloads.toArray(Overload[]::new);
    this.args = args;
    this.cost = cost;
  }

  @Override
  Object eval(Frame frame) {
    Object[] values = new Object[args.length];
    for (int i = 0; i < args.length; i++) {
      values[i] = args[i].eval(frame);
    }
    for (Overload overload : overloads) {
      if (overload.takes(values)) {
        Object result = overload.code().call(values);
        frame.charge(cost.of(values, result));
        return result;
      }
    }
    throw new CelException(
        Arrays.stream(values)
            .map(Values::typeName)
            .collect(Collectors.joining(", ", "no such overload: " + function + "(", ")")));
  }
}
