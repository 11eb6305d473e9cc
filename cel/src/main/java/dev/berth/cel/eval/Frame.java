package dev.berth.cel.eval;

import dev.berth.cel.value.CostExceededException;

/** What one evaluation knows: the variables, and what it has cost so far. */
final class Frame {
  final CelVariables variables;
  final Object[] locals;
  private final long limit;
  private long cost;

  Frame(CelVariables variables, int locals, long limit) {
    this.variables = variables;
    this.locals = new Object[locals];
    this.limit = limit;
  }

  void charge(long more) {
    cost += more;
    if (cost > limit || cost < 0) {
      throw new CostExceededException();
    }
  }

  long cost() {
    return cost;
  }
}
