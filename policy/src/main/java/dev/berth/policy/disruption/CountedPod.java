package dev.berth.policy.disruption;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A pod as a budget counts it. Whoever counts keeps one of these for each pod under a budget, so it
 * holds nothing else.
 *
 * @param controller what manages it; null if nothing does
 */
public record CountedPod(
    String name, @Nullable OwnerReference controller, boolean ready, boolean terminating) {

  public static CountedPod read(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return new CountedPod(
        metadata.name(),
        metadata.controller().orElse(null),
        Conditions.isTrue(pod.object("status").array("conditions"), Condition.READY),
        metadata.isBeingDeleted());
  }

  public static CountedPod of(PodView pod) {
    return new CountedPod(pod.name(), pod.controller(), pod.ready(), pod.terminating());
  }
}
