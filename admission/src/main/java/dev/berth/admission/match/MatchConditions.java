package dev.berth.admission.match;

import dev.berth.cel.CelCompilation;
import dev.berth.cel.eval.CelResult;
import dev.berth.cel.eval.CelVariables;
import dev.berth.kinds.admissionregistration.PolicyExpressions;
import dev.berth.model.tree.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Conditions that a webhook or a policy puts on requests beside its rules: expressions that must
 * all be true. One that is false decides, whatever errors others have.
 */
public final class MatchConditions {
  /** What all conditions of one object may cost together. */
  private static final long BUDGET = 2_500_000;

  /** What one expression may cost. */
  private static final long CALL_LIMIT = 1_000_000;

  private static final String OUT_OF_BUDGET =
      "validation failed due to running out of cost budget, no further validation rules will be run";

  private final List<Condition> conditions;

  private record Condition(String name, String expression, CelCompilation compilation) {}

  private MatchConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }

  /** What came of the conditions. */
  public sealed interface Result {
    enum Matches implements Result {
      MATCHES
    }

    /** A condition is false. */
    record Mismatch(String condition) implements Result {}

    /** No condition is false, and some could not be evaluated. */
    record Failed(String message) implements Result {}
  }

  /**
   * Compiles conditions.
   *
   * @param hasParams whether they can use parameters
   */
  public static MatchConditions compile(JsonArray conditions, boolean hasParams) {
    return new MatchConditions(
        conditions.objects().stream()
            .map(condition -> {
              String expression = condition.text("expression", "").strip();
              return new Condition(
                  condition.text("name", ""),
                  expression,
                  PolicyExpressions.ofConditions(hasParams).condition(expression));
            })
            .toList());
  }

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  public Result evaluate(CelVariables variables) {
    List<String> errors = new ArrayList<>();
    long left = BUDGET;
    for (Condition condition : conditions) {
      switch (condition.compilation()) {
        case CelCompilation.Failed failed -> errors.add("compilation error: " + failed.message());
        case CelCompilation.Compiled compiled -> {
          CelResult result = compiled.program().evaluate(variables, CALL_LIMIT);
          left -= result.cost();
          if (left < 0) {
            return new Result.Failed(OUT_OF_BUDGET);
          }
          switch (result) {
            case CelResult.Value value -> {
              if (Boolean.FALSE.equals(value.value())) {
                return new Result.Mismatch(condition.name());
              }
            }
            case CelResult.Failure failure ->
                errors.add(resulted(condition.expression(), failure.message()));
            case CelResult.BudgetExceeded exceeded ->
                errors.add(resulted(condition.expression(), exceeded.message()));
          }
        }
      }
    }
    if (errors.isEmpty()) {
      return Result.Matches.MATCHES;
    }
    return new Result.Failed(
        errors.size() == 1
            ? errors.getFirst()
            : errors.stream().distinct().collect(Collectors.joining(", ", "[", "]")));
  }

  private static String resulted(String expression, String error) {
    return "expression '" + expression + "' resulted in error: " + error;
  }
}
