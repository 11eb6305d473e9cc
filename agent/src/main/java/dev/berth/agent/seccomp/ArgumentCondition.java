package dev.berth.agent.seccomp;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a rule asks of one argument of a call.
 *
 * @param index of the argument, from 0 to 5
 * @param value what it is compared with, without a sign; for {@link Operator#MASKED_EQUAL} its mask
 * @param masked what it is under the mask; else 0
 */
record ArgumentCondition(int index, Operator operator, long value, long masked) {

  /** How an argument is compared. */
  enum Operator {
    NOT_EQUAL("SCMP_CMP_NE"),
    LESS("SCMP_CMP_LT"),
    AT_MOST("SCMP_CMP_LE"),
    EQUAL("SCMP_CMP_EQ"),
    AT_LEAST("SCMP_CMP_GE"),
    GREATER("SCMP_CMP_GT"),
    MASKED_EQUAL("SCMP_CMP_MASKED_EQ");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    static Optional<Operator> of(String word) {
      return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
  }
}
