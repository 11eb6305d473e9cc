package dev.berth.agent.pod;

import dev.berth.agent.node.RuntimeFeatures;
import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodPlatform;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.podrun.AdmissionRejection;
import dev.berth.policy.podrun.NodeAdmission;
import dev.berth.policy.podrun.PodAdmission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether a node has room for a pod beside others. */
final class NodeRoom {
  private NodeRoom() {}

  /** Whether a node says how much it has. */
  static boolean isKnown(JsonObject node) {
    return node.object("status").object("allocatable").has(ResourceList.PODS);
  }

  /**
   * Why a node does not take a pod; empty if it does.
   *
   * @param others the pods that it has, as they ask for what they were given
   * @param sysctls kernel parameters that it allows beside the safe ones
   */
  static Optional<AdmissionRejection> check(
      JsonObject pod,
      List<JsonObject> others,
      JsonObject node,
      Set<String> pressures,
      List<String> sysctls) {
    return PodAdmission.check(
            pod, NodeView.read(node), taken(others), new TreeSet<>(pressures), sysctls)
        .or(() ->
            PodAdmission.checkGroups(PodPlatform.read(pod), RuntimeFeatures.hasGroupsPolicy(node)));
  }

  /** How much too little of each resource a node has for a pod beside others. */
  static Map<String, Quantity> missing(JsonObject pod, List<JsonObject> others, JsonObject node) {
    PodSpecView spec = PodSpecView.read(pod.object("spec"));
    return NodeAdmission.missing(
        EffectiveResources.requests(spec), NodeView.read(node), taken(others));
  }

  private static NodeAdmission.Taken taken(List<JsonObject> others) {
    Map<String, Quantity> used = new HashMap<>();
    List<ContainerPort> ports = new ArrayList<>();
    for (JsonObject other : others) {
      PodSpecView spec = PodSpecView.read(other.object("spec"));
      EffectiveResources.requests(spec)
          .amounts()
          .forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
      NodeAdmission.hostPorts(spec).forEach(ports::add);
    }
    return new NodeAdmission.Taken(others.size(), used, ports);
  }
}
