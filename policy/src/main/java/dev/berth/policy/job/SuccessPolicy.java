package dev.berth.policy.job;

import dev.berth.model.batch.SuccessPolicyRule;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When some indexes of a job are enough. A rule is met
 *
 * <ol>
 *   <li>by {@code succeededIndexes}: once all of them have succeeded, or as many of them as {@code
 *       succeededCount} says;
 *   <li>by {@code succeededCount} alone: once so many of any have.
 * </ol>
 */
final class SuccessPolicy {
  private SuccessPolicy() {}

  /** Which rule is met, in upstream's words; empty if none is. */
  static Optional<String> met(List<SuccessPolicyRule> rules, long completions, Indexes succeeded) {
    for (int i = 0; i < rules.size(); i++) {
      if (succeeded.size() > 0 && isMet(rules.get(i), completions, succeeded)) {
        return Optional.of("Matched rules at index " + i);
      }
    }
    return Optional.empty();
  }

  private static boolean isMet(SuccessPolicyRule rule, long completions, Indexes succeeded) {
    OptionalLong count = rule.succeededCount();
    String text = rule.succeededIndexes();
    if (text == null) {
      return count.isPresent() && succeeded.size() >= count.getAsLong();
    }
    Indexes wanted = Indexes.parse(text, completions);
    long common = wanted.common(succeeded);
    return wanted.size() > 0
        && (common == wanted.size() || (count.isPresent() && common >= count.getAsLong()));
  }
}
