package dev.berth.sim.snapshot;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings of a cluster's control plane as the commands of its programs show them, which run as
 * static pods where kubeadm or the like has set them up.
 *
 * @param settings by flags without their dashes
 * @param unseen the programs that no pod runs which can be seen
 */
record ControlPlaneFlags(SortedMap<String, String> settings, SortedSet<String> unseen) {
  /** What decides when nodes are given up and pods go, by the program whose flag it is. */
  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          "kube-controller-manager",
          Set.of(
              "node-monitor-period",
              "node-monitor-grace-period",
              "node-startup-grace-period",
              "node-eviction-rate",
              "secondary-node-eviction-rate",
              "large-cluster-size-threshold",
              "unhealthy-zone-threshold",
              "terminated-pod-gc-threshold"),
          "kube-apiserver",
          Set.of("default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"));

  /** Reads them from a cluster's pods. */
  static ControlPlaneFlags of(List<JsonObject> pods) {
    SortedMap<String, String> settings = new TreeMap<>();
    SortedSet<String> unseen = new TreeSet<>(KNOWN.keySet());
    for (JsonObject pod : pods) {
      String program = program(pod);
      // Of several control planes that are set differently, the first is taken.
      if (unseen.remove(program)) {
        read(pod, KNOWN.getOrDefault(program, Set.of()), settings);
      }
    }
    return new ControlPlaneFlags(settings, unseen);
  }

  /** The program of the control plane that a pod runs; empty if it runs none. */
  private static String program(JsonObject pod) {
    JsonObject metadata = pod.object("metadata");
    return metadata.text("namespace", "").equals("kube-system")
        ? metadata.object("labels").text("component", "")
        : "";
  }

  private static void read(JsonObject pod, Set<String> known, SortedMap<String, String> settings) {
    for (JsonObject container : pod.object("spec").array("containers").objects()) {
      List<String> words = new ArrayList<>(container.array("command").texts());
      words.addAll(container.array("args").texts());
      for (String word : words) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? "" : word.substring(0, equals).replaceFirst("^--?", "");
        if (known.contains(name)) {
          settings.put(name, word.substring(equals + 1));
        }
      }
    }
  }
}
