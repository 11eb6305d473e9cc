package dev.berth.model.batch;

import dev.berth.model.tree.JsonObject;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes of a Job are enough.
 *
 * @param succeededIndexes such as {@code 0,3-5}; null if any will do
 * @param succeededCount how many of them; empty if all
 */
public record SuccessPolicyRule(@Nullable String succeededIndexes, OptionalLong succeededCount) {

  public static SuccessPolicyRule read(JsonObject rule) {
    return new SuccessPolicyRule(rule.text("succeededIndexes"), rule.integer("succeededCount"));
  }
}
