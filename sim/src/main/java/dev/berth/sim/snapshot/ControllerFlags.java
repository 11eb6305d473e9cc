package dev.berth.sim.snapshot;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of a cluster's controllers as the command of its kube-controller-manager shows them,
 * which runs as a static pod where kubeadm or the like has set it up.
 */
final class ControllerFlags {
  private static final String PROGRAM = "kube-controller-manager";

  /** What decides when nodes are given up and pods go. */
  private static final Set<String> KNOWN =
      Set.of(
          "node-monitor-period",
          "node-monitor-grace-period",
          "node-startup-grace-period",
          "node-eviction-rate",
          "secondary-node-eviction-rate",
          "large-cluster-size-threshold",
          "unhealthy-zone-threshold",
          "terminated-pod-gc-threshold");

  private ControllerFlags() {}

  /** Whether a pod runs the controllers of a cluster. */
  static boolean isControllers(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    return metadata.text("namespace", "").equals("kube-system")
        && metadata.object("labels").text("component", "").equals(PROGRAM);
  }

  static SortedMap<String, String> of(JsonObject pod) {
    SortedMap<String, String> flags = new TreeMap<>();
    for (JsonObject container : pod.object("spec").array("containers").objects()) {
      read(container.array("command").texts(), flags);
      read(container.array("args").texts(), flags);
    }
    return flags;
  }

  private static void read(List<String> words, SortedMap<String, String> flags) {
    for (String word : words) {
      int equals = word.indexOf('=');
      String name = equals < 0 ? "" : word.substring(0, equals).replaceFirst("^--?", "");
      if (KNOWN.contains(name)) {
        flags.put(name, word.substring(equals + 1));
      }
    }
  }
}
