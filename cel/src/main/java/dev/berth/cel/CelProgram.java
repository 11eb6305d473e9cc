package dev.berth.cel;

import dev.berth.cel.check.CostEstimate;
import dev.berth.cel.check.CostEstimator;
import dev.berth.cel.check.SizeBounds;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.eval.CelVariables;
import dev.berth.cel.eval.Plan;
import dev.berth.cel.syntax.Expr;
import dev.berth.cel.value.CelType;

/** A compiled expression. It holds no state: any number of threads may evaluate it. */
public final class CelProgram {
  private final String expression;
  private final Expr tree;
  private final Plan plan;

  CelProgram(String expression, Expr tree, Plan plan) {
    this.expression = expression;
    this.tree = tree;
    this.plan = plan;
  }

  public String expression() {
    return expression;
  }

  public CelType resultType() {
    return tree.type();
  }

  /** What an evaluation may cost, given how large values can be. */
  public CostEstimate estimateCost(SizeBounds bounds) {
    return CostEstimator.estimate(tree, bounds);
  }

  public CelResult evaluate(CelVariables variables, long budget) {
    return plan.evaluate(variables, budget);
  }
}
