package dev.berth.scheduler.preemption;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Amounts;
import dev.berth.scheduler.cluster.PodInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What pods have in common for whom the same pods would make way. */
record PodLikeness(
    String schedulerName,
    String namespace,
    JsonObject labels,
    long priority,
    Amounts requests,
    List<Toleration> tolerations,
    JsonObject nodeSelector,
    JsonObject affinity,
    JsonArray spread,
    List<ContainerPort> hostPorts,
    List<JsonObject> volumes) {

  /** Volumes that no filter looks at; every pod has a projected one of its own name. */
  private static final Set<String> ANYWHERE =
      Set.of("projected", "configMap", "secret", "downwardAPI", "emptyDir", "hostPath");

  static PodLikeness of(PodInfo pod) {
    JsonObject spec = pod.tree().object("spec");
    return new PodLikeness(
        pod.view().spec().schedulerName(),
        pod.view().namespace(),
        pod.labels(),
        pod.priority(),
        pod.requests(),
        pod.view().spec().tolerations(),
        pod.view().spec().nodeSelector(),
        spec.object("affinity"),
        spec.array("topologySpreadConstraints"),
        hostPorts(pod),
        volumes(spec));
  }

  private static List<ContainerPort> hostPorts(PodInfo pod) {
    List<ContainerPort> ports = new ArrayList<>();
    for (ContainerView container : pod.view().spec().containers()) {
      for (ContainerPort port : container.ports()) {
        if (port.hostPort() > 0) {
          ports.add(port);
        }
      }
    }
    return ports;
  }

  private static List<JsonObject> volumes(JsonObject spec) {
    List<JsonObject> volumes = new ArrayList<>();
    for (JsonObject volume : spec.array("volumes").objects()) {
      if (volume.names().stream().noneMatch(ANYWHERE::contains)) {
        volumes.add(volume);
      }
    }
    return volumes;
  }
}
