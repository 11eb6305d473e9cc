package dev.berth.scheduler.cluster.pod;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.DeclaredFeatures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a pod that a plugin may look at whose answers depend on one node alone. Pods of
 * the same class get the same answers, so an answer is computed once per class and node. The pods
 * of a template are of one class: their names, labels and the volumes that differ from pod to pod
 * (projected tokens) are not part of it; nor is the node that a pod is on, so that the pods that
 * wait and those that are placed share it.
 */
public final class PodClass {
  private final String namespace;
  private final EffectiveRequests requests;
  private final List<Toleration> tolerations;
  private final JsonObject nodeSelector;
  private final JsonObject nodeAffinity;
  private final List<ContainerPort> hostPorts;
  private final List<String> images;
  private final List<JsonObject> volumes;
  private final List<String> neededFeatures;

  /** Of pods whose claims bear their names; empty for others. */
  private final String podName;

  private final int hash;

  private PodClass(
      PodView pod,
      EffectiveRequests requests,
      JsonObject tree,
      List<String> images,
      NodeBoundVolumes volumes) {
    JsonObject spec = tree.object("spec");
    this.namespace = pod.namespace();
    this.requests = requests;
    this.tolerations = pod.spec().tolerations();
    this.nodeSelector = pod.spec().nodeSelector();
    this.nodeAffinity = spec.object("affinity").object("nodeAffinity");
    this.hostPorts = hostPorts(pod.spec());
    this.images = images;
    this.volumes = volumes.relevant();
    this.neededFeatures = DeclaredFeatures.toSchedule(new PodTree(tree));
    this.podName = volumes.named() ? pod.name() : "";
    this.hash =
        Objects.hash(
            namespace,
            requests,
            tolerations,
            nodeSelector,
            nodeAffinity,
            hostPorts,
            images,
            this.volumes,
            neededFeatures,
            podName);
  }

  static PodClass of(PodView pod, EffectiveRequests requests, JsonObject tree) {
    JsonObject spec = tree.object("spec");
    return new PodClass(pod, requests, tree, PodImages.of(spec), NodeBoundVolumes.of(spec));
  }

  private static List<ContainerPort> hostPorts(PodSpecView spec) {
    List<ContainerPort> ports = new ArrayList<>(0);
    for (ContainerView container : spec.containers()) {
      addHostPorts(container, ports);
    }
    for (ContainerView init : spec.initContainers()) {
      if (init.alwaysRestarts()) {
        addHostPorts(init, ports);
      }
    }
    return List.copyOf(ports);
  }

  private static void addHostPorts(ContainerView container, List<ContainerPort> ports) {
    for (ContainerPort port : container.ports()) {
      if (port.hostPort() > 0) {
        ports.add(port);
      }
    }
  }

  /** The ports that the pod takes on its node. */
  public List<ContainerPort> hostPorts() {
    return hostPorts;
  }

  /**
   * The images of containers, init containers and volumes, with their tags; each as often as it is
   * used.
   */
  public List<String> images() {
    return images;
  }

  /** The features that a node must declare. */
  public List<String> neededFeatures() {
    return neededFeatures;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PodClass that
            && hash == that.hash
            && namespace.equals(that.namespace)
            && requests.equals(that.requests)
            && tolerations.equals(that.tolerations)
            && nodeSelector.equals(that.nodeSelector)
            && nodeAffinity.equals(that.nodeAffinity)
            && hostPorts.equals(that.hostPorts)
            && images.equals(that.images)
            && volumes.equals(that.volumes)
            && neededFeatures.equals(that.neededFeatures)
            && podName.equals(that.podName));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /**
   * The volumes that may keep a pod off a node.
   *
   * @param named whether there is one whose claim bears the pod's name
   */
  private record NodeBoundVolumes(List<JsonObject> relevant, boolean named) {
    private static final NodeBoundVolumes NONE = new NodeBoundVolumes(List.of(), false);

    /** What a volume is if it is to be had on every node. */
    private static final List<String> ANYWHERE =
        List.of("projected", "configMap", "secret", "emptyDir", "downwardAPI", "hostPath", "image");

    static NodeBoundVolumes of(JsonObject spec) {
      List<JsonObject> all = spec.array("volumes").objects();
      if (all.isEmpty()) {
        return NONE;
      }
      List<JsonObject> relevant = new ArrayList<>(0);
      boolean named = false;
      for (JsonObject volume : all) {
        if (!isAnywhere(volume)) {
          relevant.add(volume);
          named |= volume.has("ephemeral");
        }
      }
      return relevant.isEmpty() ? NONE : new NodeBoundVolumes(relevant, named);
    }

    private static boolean isAnywhere(JsonObject volume) {
      for (int i = 0; i < volume.size(); i++) {
        if (ANYWHERE.contains(volume.name(i))) {
          return true;
        }
      }
      return false;
    }
  }
}
