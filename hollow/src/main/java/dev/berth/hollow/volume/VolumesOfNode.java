package dev.berth.hollow.volume;

import dev.berth.hollow.pod.HollowPod;
import dev.berth.hollow.pod.NodePods;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The attached volumes that a node uses, or is about to, and which of them it has reported. */
final class VolumesOfNode {
  /** Of a node that uses none; most never do. */
  private static final List<String> NONE = List.of();

  private final NodePods pods;

  /** By volume: the pods that use it. */
  private Map<String, Set<HollowPod>> users = Map.of();

  /** By pod. */
  private Map<HollowPod, Set<String>> volumes = Map.of();

  /** Those whose volumes are not there yet. */
  private Set<HollowPod> waiting = Set.of();

  /** The volumes that the server certainly shows to be in use, for as long as nothing is posted. */
  private Set<String> reported = Set.of();

  VolumesOfNode(NodePods pods) {
    this.pods = pods;
  }

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
   * What the node has to report: what its pods use, and what the server shows as long as it has not
   * decided about all of its pods.
   */
  List<String> inUse() {
    List<String> shown = shown();
    if (users.isEmpty() && shown.isEmpty()) {
      return NONE;
    }
    Set<String> all = new TreeSet<>(users.keySet());
    if (pods.pods().stream().anyMatch(HollowPod::isNew)) {
      all.addAll(shown);
    }
    return List.copyOf(all);
  }

  private List<String> shown() {
    return pods.node().tree().object("status").array("volumesInUse").texts();
  }

  /** Whether the server shows what the node has to report. */
  boolean isReported() {
    return inUse().equals(shown()) && reported.containsAll(users.keySet());
  }

  /** The node is about to report: what it leaves out does not count as reported any more. */
  void reporting(List<String> inUse) {
    Set<String> still = new HashSet<>(reported);
    still.retainAll(inUse);
    reported = still.isEmpty() ? Set.of() : still;
  }

  /** The server has accepted a report. */
  void reported(List<String> inUse) {
    reported = inUse.isEmpty() ? Set.of() : new HashSet<>(inUse);
  }

  /** The server shows another node of this name, to which nothing was reported. */
  void forgetReports() {
    reported = Set.of();
  }

  /** Whether all volumes of a pod are reported to be in use, and attached. */
  boolean isReady(HollowPod pod) {
    Set<String> used = volumes.getOrDefault(pod, Set.of());
    return reported.containsAll(used) && attached().containsAll(used);
  }

  private Set<String> attached() {
    Set<String> names = new HashSet<>();
    for (JsonObject volume :
        pods.node().tree().object("status").array("volumesAttached").objects()) {
      names.add(volume.text("name", ""));
    }
    return names;
  }

  /** The pods that have waited for what is there now. */
  List<HollowPod> takeReady() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<HollowPod> ready = waiting.stream().filter(this::isReady).toList();
    ready.forEach(waiting::remove);
    return ready;
  }
}
