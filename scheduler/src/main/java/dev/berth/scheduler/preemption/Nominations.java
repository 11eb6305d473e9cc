package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.PodInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which pods were promised which node while others make way for them. Until they are there, pods of
 * the same or lower priority find their room taken.
 *
 * <p>Remembers on which nodes promises changed lately, as the cluster's own log does for pods.
 */
public final class Nominations {
  private static final int REMEMBERED_CHANGES = 16_384;

  private final Map<String, List<PodInfo>> byNode = new HashMap<>();
  private final Map<String, String> nodes = new HashMap<>();
  private final String[] changed = new String[REMEMBERED_CHANGES];
  private long next;

  /** Promises a node to a pod, in place of any that it was promised before. */
  public void put(PodInfo pod, String node) {
    remove(pod.uid());
    nodes.put(pod.uid(), node);
    byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(pod);
    note(node);
  }

  /** The pod has a node, is gone, or is promised none any more. */
  public void remove(String uid) {
    String node = nodes.remove(uid);
    if (node == null) {
      return;
    }
    List<PodInfo> there = byNode.getOrDefault(node, List.of());
    there.removeIf(pod -> pod.uid().equals(uid));
    if (there.isEmpty()) {
      byNode.remove(node);
    }
    note(node);
  }

  private void note(String node) {
    changed[(int) (next % changed.length)] = node;
    next++;
  }

  /** The node that a pod was promised; null if there is none. */
  public @Nullable String nodeOf(String uid) {
    return nodes.get(uid);
  }

  /** The pods that were promised a node, in the order in which they were. */
  public List<PodInfo> on(String node) {
    return Collections.unmodifiableList(byNode.getOrDefault(node, List.of()));
  }

  /** Those of them who find room before a pod of a priority does. */
  List<PodInfo> from(long priority, String node) {
    List<PodInfo> all = byNode.get(node);
    return all == null
        ? List.of()
        : all.stream().filter(other -> other.priority() >= priority).toList();
  }

  /** Those of them who have to yield to a pod. */
  List<PodInfo> below(PodInfo pod, String node) {
    return byNode.getOrDefault(node, List.of()).stream()
        .filter(other -> other.priority() < pod.priority())
        .toList();
  }

  public int size() {
    return nodes.size();
  }

  long position() {
    return next;
  }

  /** Tells of nodes whose promises changed since; false if that is no longer known. */
  boolean since(long position, Consumer<String> node) {
    if (next - position > changed.length) {
      return false;
    }
    for (long at = position; at < next; at++) {
      node.accept(changed[(int) (at % changed.length)]);
    }
    return true;
  }
}
