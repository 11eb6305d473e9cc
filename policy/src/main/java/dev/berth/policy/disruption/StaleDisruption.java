package dev.berth.policy.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Pods of which somebody said that they are about to go, and which did not. The condition {@code
 * DisruptionTarget} is written before the deletion; if none follows within two minutes, it is set
 * to False, so that nobody takes a later end of the pod for a disruption.
 *
 * <p>What a kubelet said stays, as its pods may take any time to end. Finished pods keep theirs,
 * since it says how they came to an end.
 */
public final class StaleDisruption {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String BY_KUBELET = "TerminationByKubelet";

  private StaleDisruption() {}

  /** When a pod's condition is stale; empty if it has none or its condition is to stay. */
  public static Optional<Instant> staleAt(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    return pod.condition(Condition.DISRUPTION_TARGET)
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .filter(condition -> !condition.reason().equals(BY_KUBELET))
        .filter(_ -> !pod.terminating())
        .filter(_ -> !pod.phase().finished())
        .map(condition -> since(condition).plus(TIMEOUT));
  }

  private static Instant since(Condition condition) {
    Instant time = condition.lastTransitionTime();
    return time == null ? Instant.EPOCH : time;
  }

  /** The pod without a disruption that did not come. */
  public static JsonObject reset(JsonObject tree, Instant now) {
    PodTree pod = new PodTree(tree);
    JsonArray others = Conditions.remove(pod.conditions(), Condition.DISRUPTION_TARGET);
    JsonObject no =
        new JsonObject.Builder()
            .put("type", Condition.DISRUPTION_TARGET)
            .put("status", Conditions.FALSE)
            .build();
    return pod.withConditions(
        Conditions.set(others, Conditions.observed(no, Metadata.of(tree).generation()), now));
  }
}
