package dev.berth.scheduler.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pods for which room is being made on a node, and which are not there yet. Others count them in,
 * so that the room is not taken before they come.
 */
public final class Nominations {
  private final Map<String, List<PodInfo>> byNode = new HashMap<>();
  private final Map<String, String> nodes = new HashMap<>();

  /** Nominates a pod to a node; a pod is nominated to one node at most. */
  public void put(PodInfo pod, String nodeName) {
    remove(pod);
    nodes.put(pod.uid(), nodeName);
    byNode.computeIfAbsent(nodeName, _ -> new ArrayList<>(1)).add(pod);
  }

  /** Forgets a pod's nomination, if it has one. */
  public void remove(PodInfo pod) {
    String nodeName = nodes.remove(pod.uid());
    if (nodeName != null) {
      List<PodInfo> there = byNode.getOrDefault(nodeName, List.of());
      there.removeIf(pod::isSamePodAs);
      if (there.isEmpty()) {
        byNode.remove(nodeName);
      }
    }
  }

  /** The node that a pod is nominated to; empty if there is none. */
  public String nodeOf(PodInfo pod) {
    return nodes.getOrDefault(pod.uid(), "");
  }

  /** The pods nominated to a node, in the order in which they were. */
  public List<PodInfo> on(String nodeName) {
    return byNode.getOrDefault(nodeName, List.of());
  }

  /** The pods nominated to a node that another pod must leave room for. */
  public List<PodInfo> before(PodInfo pod, String nodeName) {
    List<PodInfo> there = on(nodeName);
    return there.isEmpty()
        ? there
        : there.stream()
            .filter(other -> other.priority() >= pod.priority() && !other.isSamePodAs(pod))
            .toList();
  }

  public boolean isEmpty() {
    return nodes.isEmpty();
  }
}
