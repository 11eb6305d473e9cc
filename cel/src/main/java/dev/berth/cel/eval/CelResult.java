package dev.berth.cel.eval;

import dev.berth.cel.value.CostExceededException;

/** How an evaluation ended, and what it cost. */
public sealed interface CelResult {
  long cost();

  /** It has a value; {@link dev.berth.cel.value.Values} says which Java object stands for it. */
  record Value(Object value, long cost) implements CelResult {}

  /** It ended in an error, such as {@code no such key: x}. */
  record Failure(String message, long cost) implements CelResult {}

  /** It was stopped since it cost more than it may. */
  record BudgetExceeded(long cost) implements CelResult {
    public String message() {
      return CostExceededException.MESSAGE;
    }
  }
}
