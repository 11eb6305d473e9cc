package dev.berth.policy.disruption;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
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

  public static CountedPod read(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    return new CountedPod(
        pod.metadata().name(),
        pod.metadata().controller().orElse(null),
        pod.ready(),
        pod.terminating());
  }

  public static CountedPod of(PodView pod) {
    return new CountedPod(pod.name(), pod.controller(), pod.ready(), pod.terminating());
  }
}
