package dev.berth.scheduler.cluster;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Pods that are nominated to a node, since others are preempted for them there, and are not on it
 * yet. They count when other pods are scheduled, so that the resources are not taken before.
 */
public final class Nominations {
  private final Map<String, List<PodInfo>> byNode = new HashMap<>();
  private final Map<String, String> nodes = new HashMap<>();
  private final Consumer<String> changed;

  /**
   * @param changed gets the name of every node whose nominations change
   */
  Nominations(Consumer<String> changed) {
    this.changed = changed;
  }

  /**
   * Nominates a pod to a node; a pod is nominated to one node at most. A new revision of a pod that
   * is nominated to the node already keeps its place among the others.
   */
  public void put(PodInfo pod, String nodeName) {
    if (nodeOf(pod).equals(nodeName)) {
      on(nodeName).replaceAll(other -> other.isSamePodAs(pod) ? pod : other);
    } else {
      remove(pod);
      nodes.put(pod.uid(), nodeName);
      byNode.computeIfAbsent(nodeName, _ -> new ArrayList<>(1)).add(pod);
    }
    changed.accept(nodeName);
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
      changed.accept(nodeName);
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

  /** The pods nominated to a node that have no lower priority than this one. */
  public List<PodInfo> from(long priority, String nodeName) {
    List<PodInfo> there = on(nodeName);
    return there.isEmpty()
        ? there
        : there.stream().filter(other -> other.priority() >= priority).toList();
  }

  /**
   * The pods nominated to a node that come before another pod: those of higher priority, and of the
   * same priority those that were nominated there earlier. Unlike upstream, where of two pods that
   * are nominated to a node each keeps room for the other, and none takes the only place.
   */
  public List<PodInfo> before(PodInfo pod, String nodeName) {
    List<PodInfo> before = new ArrayList<>();
    boolean isLater = false;
    for (PodInfo other : from(pod.priority(), nodeName)) {
      isLater |= other.isSamePodAs(pod);
      if (!isLater || other.priority() > pod.priority()) {
        before.add(other);
      }
    }
    return before;
  }

  /** The nodes that any pod is nominated to. */
  public Set<String> nodeNames() {
    return Collections.unmodifiableSet(byNode.keySet());
  }

  public boolean isEmpty() {
    return nodes.isEmpty();
  }
}
