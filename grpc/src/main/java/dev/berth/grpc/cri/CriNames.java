package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.PodClasses;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import java.util.Map;
import java.util.TreeMap;

/** Labels, annotations and paths by which pods are found again; a kubelet's, but for our own. */
final class CriNames {
  static final String POD_NAME = "io.kubernetes.pod.name";
  static final String POD_NAMESPACE = "io.kubernetes.pod.namespace";
  static final String POD_UID = "io.kubernetes.pod.uid";
  static final String CONTAINER_NAME = "io.kubernetes.container.name";
  static final String RESTARTS = "io.kubernetes.container.restartCount";

  /** A sandbox's configuration: containers that are created later need it, too. */
  static final String CONFIG = "berth.dev/sandbox-config";

  /** Whether a container has a terminal. */
  static final String TTY = "berth.dev/tty";

  /** A container's image as its pod's specification names it; a runtime may show another name. */
  static final String IMAGE = "berth.dev/image";

  /** The ids of the images that a container mounts as volumes, with commas between them. */
  static final String MOUNTED_IMAGES = "berth.dev/mounted-images";

  /** The group of all pods. */
  static final String PODS = "kubepods";

  private CriNames() {}

  static Map<String, String> labels(PodId pod) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(POD_NAME, pod.name());
    labels.put(POD_NAMESPACE, pod.namespace());
    labels.put(POD_UID, pod.uid());
    return labels;
  }

  static PodId pod(Map<String, String> labels) {
    return new PodId(
        labels.getOrDefault(POD_NAMESPACE, ""),
        labels.getOrDefault(POD_NAME, ""),
        labels.getOrDefault(POD_UID, ""));
  }

  /** A pod's cgroup, without the first slash. */
  static String cgroup(SandboxSpec spec) {
    return PodClasses.group(PODS, spec);
  }
}
