package dev.berth.policy.pod;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;

/** Amounts that a pod sets for itself as a whole: CPU, memory and huge pages, no others. */
public final class PodLevelResources {
  private static final String HUGE_PAGES = "hugepages-";

  private PodLevelResources() {}

  public static boolean areSet(PodSpecView pod) {
    return anyApplies(pod.requests()) || anyApplies(pod.limits());
  }

  /** The containers' amounts with the pod's own in their place, where it has any. */
  static ResourceList placeOver(ResourceList containers, JsonObject own) {
    ResourceList placed = containers;
    for (var entry : ResourceList.read(own).amounts().entrySet()) {
      if (applies(entry.getKey())) {
        placed = placed.with(entry.getKey(), entry.getValue());
      }
    }
    return placed;
  }

  private static boolean anyApplies(JsonObject amounts) {
    return amounts.names().stream().anyMatch(PodLevelResources::applies);
  }

  private static boolean applies(String resource) {
    return resource.equals(ResourceList.CPU)
        || resource.equals(ResourceList.MEMORY)
        || resource.startsWith(HUGE_PAGES);
  }
}
