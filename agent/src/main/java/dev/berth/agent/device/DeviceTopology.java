package dev.berth.agent.device;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceHints;
import dev.berth.policy.device.DeviceNeed;
import dev.berth.policy.device.DeviceResource;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the devices that a pod asks for can be had from. Lives on the loop of the devices. */
public final class DeviceTopology {
  private final DeviceState state;
  private final JsonObject pod;
  private final String podUid;
  private final List<DeviceNeed> needs;
  private final List<Integer> numaNodes;

  /**
   * @param needs all of the pod's
   * @param numaNodes those that the machine has
   */
  DeviceTopology(
      DeviceState state, JsonObject pod, List<DeviceNeed> needs, List<Integer> numaNodes) {
    this.state = state;
    this.pod = pod;
    this.podUid = Metadata.of(pod).uid();
    this.needs = needs;
    this.numaNodes = numaNodes;
  }

  /** For one of its containers, after all before it have got theirs. */
  public Hints of(String container) {
    Map<String, Optional<List<TopologyHint>>> hints = new HashMap<>();
    for (int i = 0; i < needs.size(); i++) {
      DeviceNeed need = needs.get(i);
      String resource = need.resource();
      if (need.container().equals(container)) {
        Set<String> has =
            state
                .assignments()
                .find(podUid, container, resource)
                .map(Assignment::ids)
                .orElse(Set.of());
        Set<String> reusable =
            DeviceNeed.reusable(podUid, needs.subList(0, i), resource, state.assignments());
        hints.put(resource, hints(resource, need.count(), has, reusable));
      }
    }
    return new Hints(hints);
  }

  /** For the pod as a whole. */
  public Hints ofPod() {
    Map<String, Optional<List<TopologyHint>>> hints = new HashMap<>();
    EffectiveResources.limits(PodSpecView.read(pod.object("spec")))
        .amounts()
        .forEach((resource, amount) -> {
          if (state.view().isDevice(resource)) {
            Set<String> has = new HashSet<>();
            state
                .assignments()
                .all()
                .forEach((holder, assignment) -> {
                  if (holder.podUid().equals(podUid) && holder.resource().equals(resource)) {
                    has.addAll(assignment.ids());
                  }
                });
            hints.put(resource, hints(resource, amount.value(), has, Set.of()));
          }
        });
    return new Hints(hints);
  }

  private Optional<List<TopologyHint>> hints(
      String resource, long count, Set<String> has, Set<String> reusable) {
    Optional<DeviceResource> known = state.resource(resource);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    Set<String> free = new HashSet<>(known.get().healthy());
    free.removeAll(state.inUse(resource));
    return new DeviceHints(known.get(), numaNodes).of(count, has, free, reusable);
  }
}
