package dev.berth.scheduler.queue;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.PodView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Toleration;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.EffectiveResources;
import dev.berth.scheduler.cluster.Amounts;
import dev.berth.scheduler.cluster.PodInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What hints ask of a pod that waits, read once for all pods that are alike: a hundred thousand
 * pods of a few workloads are a few of these.
 */
final class WaitingPod {
  private final PodInfo pod;
  private final ResourceList requests;
  private final List<RoughTerm> affinity;
  private final List<RoughTerm> antiAffinity;
  private final List<RoughTerm> spread;
  private final Set<String> hostPorts;
  private final Set<String> claims;

  WaitingPod(PodInfo pod) {
    this.pod = pod;
    this.requests = EffectiveResources.requests(pod.view().spec());
    this.affinity = RoughTerm.required(pod.tree(), "podAffinity");
    this.antiAffinity = RoughTerm.required(pod.tree(), "podAntiAffinity");
    this.spread = RoughTerm.spread(pod.tree());
    this.hostPorts = hostPorts(pod.view().spec());
    this.claims = claims(pod.tree());
  }

  /** By what pods that wait are alike: all that a hint may look at. */
  record Likeness(
      String schedulerName,
      String namespace,
      Amounts requests,
      List<Toleration> tolerations,
      JsonObject nodeSelector,
      JsonObject affinity,
      JsonArray spread,
      Set<String> hostPorts,
      Set<String> claims,
      Set<String> refusing) {

    static Likeness of(PodInfo pod, Set<String> refusing) {
      JsonObject spec = pod.tree().object("spec");
      PodSpecView view = pod.view().spec();
      return new Likeness(
          view.schedulerName(),
          pod.view().namespace(),
          pod.requests(),
          view.tolerations(),
          view.nodeSelector(),
          spec.object("affinity"),
          spec.array("topologySpreadConstraints"),
          WaitingPod.hostPorts(view),
          WaitingPod.claims(pod.tree()),
          refusing);
    }
  }

  PodSpecView spec() {
    return pod.view().spec();
  }

  String schedulerName() {
    return spec().schedulerName();
  }

  ResourceList requests() {
    return requests;
  }

  List<RoughTerm> affinity() {
    return affinity;
  }

  List<RoughTerm> antiAffinity() {
    return antiAffinity;
  }

  List<RoughTerm> spread() {
    return spread;
  }

  Set<String> hostPorts() {
    return hostPorts;
  }

  Set<String> claims() {
    return claims;
  }

  String namespace() {
    return pod.view().namespace();
  }

  /**
   * Whether the pod might ever be on a node of a name. A daemon's pod is for one node alone, so
   * that what happens on the thousands of others does not concern it.
   */
  boolean mayBeOn(String nodeName) {
    NodeAffinity nodeAffinity = spec().nodeAffinity();
    if (nodeName.isEmpty() || nodeAffinity == null || nodeAffinity.required() == null) {
      return true;
    }
    for (NodeSelector.Term term : nodeAffinity.required().terms()) {
      if (term.fields().stream()
          .allMatch(field -> field.value().equals(nodeName) == field.equal())) {
        return true;
      }
    }
    return false;
  }

  /** The only nodes that the pod may be on, by name, if its required affinity names them. */
  Set<String> namedNodes() {
    NodeAffinity nodeAffinity = spec().nodeAffinity();
    Set<String> names = new TreeSet<>();
    if (nodeAffinity == null || nodeAffinity.required() == null) {
      return names;
    }
    for (NodeSelector.Term term : nodeAffinity.required().terms()) {
      List<String> named =
          term.fields().stream()
              .filter(NodeSelector.FieldRequirement::equal)
              .map(NodeSelector.FieldRequirement::value)
              .toList();
      if (named.isEmpty()) {
        return Set.of();
      }
      names.addAll(named);
    }
    return names;
  }

  /** The ports that a pod takes on its node, as {@code protocol/port}. */
  static Set<String> hostPorts(PodSpecView spec) {
    Set<String> ports = new TreeSet<>();
    List<ContainerView> containers = new ArrayList<>(spec.containers());
    containers.addAll(spec.initContainers());
    for (ContainerView container : containers) {
      for (ContainerPort port : container.ports()) {
        if (port.hostPort() > 0) {
          ports.add(port.protocol() + "/" + port.hostPort());
        }
      }
    }
    return ports;
  }

  static Set<String> hostPorts(PodView pod) {
    return hostPorts(pod.spec());
  }

  /** The names of the claims that a pod's volumes are from. */
  static Set<String> claims(JsonObject pod) {
    Set<String> claims = new TreeSet<>();
    String podName = pod.object("metadata").text("name", "");
    for (JsonObject volume : pod.object("spec").array("volumes").objects()) {
      String claim = volume.object("persistentVolumeClaim").text("claimName");
      if (claim != null) {
        claims.add(claim);
      } else if (volume.has("ephemeral")) {
        claims.add(podName + "-" + volume.text("name", ""));
      }
    }
    return claims;
  }
}
