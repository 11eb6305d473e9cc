package dev.berth.admission.policy;

import dev.berth.admission.match.RequestVariables;
import dev.berth.cel.CelCompilation;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.LazyObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions of one policy about one request, within a budget.
 *
 * <p>A variable is evaluated when an expression first needs it, and kept.
 */
final class PolicyEvaluation implements LazyObject {
  /** What one expression may cost, and all of a binding together. */
  private static final long CALL_LIMIT = 1_000_000;

  private static final long BUDGET = 10_000_000;

  private final Map<String, Expression> variables;
  private final RequestVariables request;
  private final Map<String, Object> values = new HashMap<>();
  private long left = BUDGET;

  PolicyEvaluation(Map<String, Expression> variables, RequestVariables request) {
    this.variables = variables;
    this.request = request;
    request.setVariables(this);
  }

  /** An expression of a policy. */
  record Expression(String text, CelCompilation compilation) {}

  /** A value, or why there is none. */
  record Outcome(@Nullable Object value, String error) {
    boolean failed() {
      return value == null;
    }
  }

  /** The policy costs more than it may; nothing of it is evaluated any more. */
  static final class OutOfBudgetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    static final String REASON =
        "validation failed due to running out of cost budget, no further validation rules will be"
            + " run";

    OutOfBudgetException() {
      super(REASON, null, false, false);
    }
  }

  Outcome evaluate(Expression expression) {
    return switch (expression.compilation()) {
      case CelCompilation.Failed failed ->
          new Outcome(null, "compilation error: " + failed.message());
      case CelCompilation.Compiled compiled -> {
        CelResult result = compiled.program().evaluate(request, CALL_LIMIT);
        charge(result.cost());
        yield switch (result) {
          case CelResult.Value value -> new Outcome(value.value(), "");
          case CelResult.Failure failure -> error(expression, failure.message());
          case CelResult.BudgetExceeded exceeded -> error(expression, exceeded.message());
        };
      }
    };
  }

  private static Outcome error(Expression expression, String message) {
    return new Outcome(
        null, "expression '" + expression.text() + "' resulted in error: " + message);
  }

  private void charge(long cost) {
    left -= cost;
    if (left < 0) {
      throw new OutOfBudgetException();
    }
  }

  @Override
  public @Nullable Object field(String name) {
    Expression variable = variables.get(name);
    if (variable == null) {
      return null;
    }
    Object known = values.get(name);
    if (known == null) {
      known = compute(name, variable);
      values.put(name, known);
    }
    if (known instanceof CelException error) {
      throw error;
    }
    return known;
  }

  private Object compute(String name, Expression variable) {
    return switch (variable.compilation()) {
      case CelCompilation.Failed failed ->
          new CelException(
              "composited variable \"" + name + "\" fails to compile: " + failed.message());
      case CelCompilation.Compiled compiled -> {
        CelResult result = compiled.program().evaluate(request, CALL_LIMIT);
        charge(result.cost());
        yield switch (result) {
          case CelResult.Value value -> value.value();
          case CelResult.Failure failure -> failed(name, failure.message());
          case CelResult.BudgetExceeded exceeded -> failed(name, exceeded.message());
        };
      }
    };
  }

  private static CelException failed(String name, String message) {
    return new CelException("composited variable \"" + name + "\" fails to evaluate: " + message);
  }
}
