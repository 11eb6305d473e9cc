package dev.berth.hollow;

import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The attached volumes that a node uses, or is about to, and what it has said about them. */
final class NodeMounts {
  /** Of a node that uses none; most never do. */
  private static final List<String> NONE = List.of();

  /** By volume: the pods that use it. */
  private Map<String, Set<HollowPod>> users = Map.of();

  /** By pod. */
  private Map<HollowPod, Set<String>> volumes = Map.of();

  /** Those whose volumes are not there yet. */
  private Set<HollowPod> waiting = Set.of();

  /** The volumes that the server certainly shows to be in use, for as long as nothing is posted. */
  private Set<String> said = Set.of();

  /** Notes which volumes a pod uses. */
  void add(HollowPod pod, Set<String> used) {
    if (volumes.isEmpty()) {
      users = new HashMap<>();
      volumes = new LinkedHashMap<>();
      waiting = new LinkedHashSet<>();
    }
    volumes.put(pod, used);
    used.forEach(volume -> users.computeIfAbsent(volume, _ -> new HashSet<>(2)).add(pod));
  }

  /** Forgets a pod; returns whether it used anything. */
  boolean remove(HollowPod pod) {
    if (volumes.isEmpty()) {
      return false;
    }
    waiting.remove(pod);
    Set<String> used = volumes.remove(pod);
    if (used == null) {
      return false;
    }
    for (String volume : used) {
      Set<HollowPod> same = users.get(volume);
      if (same != null && same.remove(pod) && same.isEmpty()) {
        users.remove(volume);
      }
    }
    return true;
  }

  void waits(HollowPod pod) {
    waiting.add(pod);
  }

  void doesNotWait(HollowPod pod) {
    if (!waiting.isEmpty()) {
      waiting.remove(pod);
    }
  }

  /**
   * What the node has to say: what its pods use, and what it said before as long as it has not
   * looked at all of them.
   */
  List<String> inUse(HollowNode node) {
    List<String> shown = shown(node);
    if (users.isEmpty() && shown.isEmpty()) {
      return NONE;
    }
    Set<String> all = new TreeSet<>(users.keySet());
    if (node.pods().stream().anyMatch(pod -> pod.stage == HollowPod.Stage.NEW)) {
      all.addAll(shown);
    }
    return List.copyOf(all);
  }

  private static List<String> shown(HollowNode node) {
    return node.tree().object("status").array("volumesInUse").texts();
  }

  /** Whether the server shows what the node has to say. */
  boolean isSaid(HollowNode node) {
    return inUse(node).equals(shown(node)) && said.containsAll(users.keySet());
  }

  /** The node is about to say what it uses: what it leaves out does not count any more. */
  void says(List<String> inUse) {
    Set<String> still = new HashSet<>(said);
    still.retainAll(inUse);
    said = still.isEmpty() ? Set.of() : still;
  }

  /** The server has taken it. */
  void hasSaid(List<String> inUse) {
    said = inUse.isEmpty() ? Set.of() : new HashSet<>(inUse);
  }

  /** The server shows another node of this name, to which nothing was said. */
  void hasSaidNothing() {
    said = Set.of();
  }

  /** Whether all volumes of a pod are said to be in use, and attached. */
  boolean isThere(HollowNode node, HollowPod pod) {
    Set<String> used = volumes.getOrDefault(pod, Set.of());
    return said.containsAll(used) && attached(node).containsAll(used);
  }

  private static Set<String> attached(HollowNode node) {
    Set<String> names = new HashSet<>();
    for (JsonObject volume : node.tree().object("status").array("volumesAttached").objects()) {
      names.add(volume.text("name", ""));
    }
    return names;
  }

  /** The pods that have waited for what is there now. */
  List<HollowPod> takeReady(HollowNode node) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<HollowPod> ready = waiting.stream().filter(pod -> isThere(node, pod)).toList();
    ready.forEach(waiting::remove);
    return ready;
  }
}
