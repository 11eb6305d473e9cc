package dev.berth.bench.scheduler;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a placement is one that a scheduler may make: no node over its capacity, no pod where it
 * does not tolerate a taint, spread within its skew; and how evenly nodes are used.
 *
 * @param warnings what is wrong, empty if nothing is
 * @param cpuVariance the variance of the share of cpu that is requested, over all nodes
 */
record Quality(List<String> warnings, double cpuVariance) {

  static Quality of(Workload workload, List<JsonObject> nodes, List<JsonObject> pods) {
    List<String> warnings = new ArrayList<>();
    Map<String, NodeView> byName = new HashMap<>();
    nodes.forEach(node -> byName.put(NodeView.read(node).name(), NodeView.read(node)));
    Map<String, ResourceList> used = new HashMap<>();
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Integer> zones = new HashMap<>();
    for (JsonObject tree : pods) {
      PodView pod = PodView.read(tree);
      NodeView node = byName.get(pod.spec().nodeName());
      if (node == null) {
        warnings.add(pod.name() + " is on a node that is not there");
        continue;
      }
      used.merge(node.name(), EffectiveResources.requests(pod.spec()), ResourceList::plus);
      counts.merge(node.name(), 1, Integer::sum);
      zones.merge(node.labels().text("topology.kubernetes.io/zone", ""), 1, Integer::sum);
      if (!pod.name().startsWith(Workload.PLACED)) {
        RemainingTaints.of(node.taints(), pod.spec().tolerations(), TolerationRules.STANDARD)
            .refusal()
            .ifPresent(taint -> warnings.add(pod.name() + " does not tolerate " + taint));
      }
    }
    double sum = 0;
    double squares = 0;
    for (NodeView node : byName.values()) {
      ResourceList room = ResourceList.read(node.allocatable());
      ResourceList taken = used.getOrDefault(node.name(), ResourceList.EMPTY);
      for (String resource : List.of(ResourceList.CPU, ResourceList.MEMORY)) {
        if (taken.get(resource).compareTo(room.get(resource)) > 0) {
          warnings.add(node.name() + " is over its " + resource);
        }
      }
      Quantity most = room.get(ResourceList.PODS);
      if (counts.getOrDefault(node.name(), 0) > most.value()) {
        warnings.add(node.name() + " has too many pods");
      }
      double share =
          (double) taken.get(ResourceList.CPU).milliValue()
              / room.get(ResourceList.CPU).milliValue();
      sum += share;
      squares += share * share;
    }
    if (workload == Workload.SPREAD) {
      int most = zones.values().stream().mapToInt(i -> i).max().orElse(0);
      int fewest = zones.values().stream().mapToInt(i -> i).min().orElse(0);
      if (most - fewest > 5 + 1) {
        warnings.add("zones have from " + fewest + " to " + most + " pods");
      }
    }
    double mean = sum / byName.size();
    return new Quality(List.copyOf(warnings), squares / byName.size() - mean * mean);
  }
}
