package dev.berth.cel.eval;

import dev.berth.cel.syntax.Expr;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CostExceededException;

/** An expression that is ready to be evaluated, by many threads at once. */
public final class Plan {
  private final Node root;
  private final int slots;

  private Plan(Node root, int slots) {
    this.root = root;
    this.slots = slots;
  }

  /** Plans a checked expression; fails if a constant part of it does. */
  public static Plan of(Expr expression) {
    Planner planner = new Planner();
    Node root = planner.plan(expression);
    return new Plan(root, planner.slots());
  }

  /**
   * Evaluates it.
   *
   * @param budget what it may cost
   */
  public CelResult evaluate(CelVariables variables, long budget) {
    Frame frame = new Frame(variables, slots, budget);
    try {
      return new CelResult.Value(root.eval(frame), frame.cost());
    } catch (CelException e) {
      return new CelResult.Failure(e.reason(), frame.cost());
    } catch (CostExceededException e) {
      return new CelResult.BudgetExceeded(frame.cost());
    } catch (StackOverflowError e) {
      return new CelResult.Failure("expression is nested too deeply", frame.cost());
    }
  }
}
