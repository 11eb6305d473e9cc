package dev.berth.policy.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
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
  public static Optional<Instant> staleAt(JsonObject pod) {
    JsonObject status = pod.object("status");
    JsonArray conditions = status.array("conditions");
    return Conditions.find(conditions, Condition.DISRUPTION_TARGET)
        .filter(condition -> condition.text("status", "").equals(Conditions.TRUE))
        .filter(condition -> !condition.text("reason", "").equals(BY_KUBELET))
        .filter(_ -> !Metadata.of(pod).isBeingDeleted())
        .filter(_ -> !PodPhase.of(status.text("phase", "")).finished())
        .map(condition -> since(condition).plus(TIMEOUT));
  }

  private static Instant since(JsonObject condition) {
    String text = condition.text("lastTransitionTime", "");
    return text.isEmpty() ? Instant.EPOCH : Times.parse(text);
  }

  /** The pod without a disruption that did not come. */
  public static JsonObject reset(JsonObject pod, Instant now) {
    JsonObject status = pod.object("status");
    JsonArray others = Conditions.remove(status.array("conditions"), Condition.DISRUPTION_TARGET);
    JsonObject no =
        new JsonObject.Builder()
            .put("type", Condition.DISRUPTION_TARGET)
            .put("status", Conditions.FALSE)
            .build();
    return pod.with("status", status.with("conditions", Conditions.set(others, no, now)));
  }
}
