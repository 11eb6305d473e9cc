package dev.berth.agent.pod;

import dev.berth.agent.podspec.ResourceLimits;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import java.util.List;

/**
 * What the status of a pod says of the resources of the pod as a whole.
 *
 * <ol>
 *   <li>{@code allocatedResources}: what its node has set aside for it, of its containers and the
 *       pod as a whole.
 *   <li>{@code resources}: what it has. While it runs, that is what its cgroup is limited to, which
 *       is nothing if one of its containers is not limited.
 * </ol>
 */
final class PodLevelStatus {
  private static final List<String> RESIZED = List.of(ResourceList.CPU, ResourceList.MEMORY);

  private PodLevelStatus() {}

  /** The fields that say it, in a phase of the pod. */
  static JsonObject of(PodResize resize, JsonObject pod, PodPhase phase) {
    PodSpecView allocated = PodSpecView.read(resize.allocatedPod(pod).object("spec"));
    PodSpecView actual = PodSpecView.read(resize.actualPod(pod).object("spec"));
    ResourceList requests = EffectiveResources.requests(actual);
    ResourceList limits =
        phase == PodPhase.RUNNING
            ? ResourceLimits.ofWhole(actual)
            : EffectiveResources.limits(actual);
    JsonObject.Builder resources = new JsonObject.Builder();
    putUnlessEmpty(resources, "limits", limits);
    putUnlessEmpty(resources, "requests", requests);
    JsonObject.Builder status = new JsonObject.Builder();
    putUnlessEmpty(status, "allocatedResources", EffectiveResources.requests(allocated));
    return status.put("resources", resources.build()).build();
  }

  private static void putUnlessEmpty(JsonObject.Builder into, String field, ResourceList amounts) {
    if (!amounts.isEmpty()) {
      JsonObject.Builder tree = new JsonObject.Builder();
      amounts.amounts().forEach((resource, amount) -> tree.put(resource, amount.toString()));
      into.put(field, tree.build());
    }
  }

  /**
   * What a pod as a whole was given by an earlier agent, as its status says it. The status adds up
   * what its containers have and what it takes to run the pod, so that it counts for those amounts
   * alone that the pod asks for as a whole.
   */
  static JsonObject allocated(JsonObject spec, JsonObject status) {
    PodSpecView pod = PodSpecView.read(spec);
    JsonObject asked = spec.object("resources");
    JsonObject requests =
        earlier(
            asked.object("requests"),
            EffectiveResources.requests(pod),
            status.object("allocatedResources"),
            pod);
    JsonObject limits =
        earlier(
            asked.object("limits"),
            EffectiveResources.limits(pod),
            status.object("resources").object("limits"),
            pod);
    JsonObject allocated = requests.isEmpty() ? asked : asked.with("requests", requests);
    return limits.isEmpty() ? allocated : allocated.with("limits", limits);
  }

  /** What is asked for, but for what the status says otherwise. */
  private static JsonObject earlier(
      JsonObject asked, ResourceList wholeAsked, JsonObject said, PodSpecView pod) {
    ResourceList wholeSaid = ResourceList.read(said);
    ResourceList overhead = ResourceList.read(pod.overhead());
    JsonObject earlier = asked;
    for (String resource : RESIZED) {
      Quantity amount = wholeSaid.get(resource);
      if (asked.has(resource)
          && wholeSaid.has(resource)
          && amount.compareTo(wholeAsked.get(resource)) != 0) {
        earlier = earlier.with(resource, amount.minus(overhead.get(resource)).toString());
      }
    }
    return earlier;
  }
}
