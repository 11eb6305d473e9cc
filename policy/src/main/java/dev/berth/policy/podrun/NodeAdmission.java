package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerPort;
import dev.berth.model.core.ContainerView;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.affinity.NodeSelection;
import dev.berth.policy.pod.ResourceNames;
import dev.berth.policy.taint.TolerationRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether a node admits a pod that was bound to it, by whomever. The scheduler is not trusted: it
 * may not have been asked. As a kubelet does, in this order:
 *
 * <ol>
 *   <li>One more pod fits, and everything that it requests. Extended resources that the node does
 *       not have are not the node's concern, and are left out.
 *   <li>The node's labels are those that the pod selects and requires.
 *   <li>No other pod has a port of the node that it wants.
 *   <li>The pod tolerates the node's NoExecute taints, with or without a time limit (T4). Other
 *       taints are the scheduler's matter.
 * </ol>
 */
public final class NodeAdmission {
  private NodeAdmission() {}

  /**
   * What the pods of a node take of it.
   *
   * @param pods how many there are
   * @param used what they request in all
   * @param hostPorts the node's own ports that lead to them
   */
  public record Taken(int pods, Map<String, Quantity> used, List<ContainerPort> hostPorts) {}

  public static Optional<AdmissionRejection> check(
      PodSpecView pod, ResourceList requests, NodeView node, Taken taken) {
    ResourceList allocatable = ResourceList.read(node.allocatable());
    long room = allocatable.get(ResourceList.PODS).value();
    if (taken.pods() + 1 > room) {
      return Optional.of(insufficient(ResourceList.PODS, 1, taken.pods(), room));
    }
    for (Map.Entry<String, Quantity> asked : requests.amounts().entrySet()) {
      String resource = asked.getKey();
      boolean unknown = ResourceNames.isExtended(resource) && !allocatable.has(resource);
      if (unknown || asked.getValue().signum() == 0) {
        continue;
      }
      Quantity used = taken.used().getOrDefault(resource, Quantity.ZERO);
      Quantity has = allocatable.get(resource);
      if (used.plus(asked.getValue()).compareTo(has) > 0) {
        boolean cpu = resource.equals(ResourceList.CPU);
        return Optional.of(
            insufficient(
                resource,
                cpu ? asked.getValue().milliValue() : asked.getValue().value(),
                cpu ? used.milliValue() : used.value(),
                cpu ? has.milliValue() : has.value()));
      }
    }
    if (!NodeSelection.allows(pod, node)) {
      return Optional.of(
          AdmissionRejection.predicate(
              "NodeAffinity", "node(s) didn't match Pod's node affinity/selector"));
    }
    if (hostPorts(pod).anyMatch(port -> isTaken(port, taken.hostPorts()))) {
      return Optional.of(
          AdmissionRejection.predicate(
              "NodePorts", "node(s) didn't have free ports for the requested pod ports"));
    }
    boolean tolerated =
        node.taints().stream()
            .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE)
            .allMatch(
                taint -> TolerationRules.WITH_COMPARISONS.tolerates(pod.tolerations(), taint));
    return tolerated
        ? Optional.empty()
        : Optional.of(
            AdmissionRejection.predicate("TaintToleration", "node(s) had untolerated taint(s)"));
  }

  /** How much too little of each resource a node has for what a pod requests. */
  public static Map<String, Quantity> missing(ResourceList requests, NodeView node, Taken taken) {
    ResourceList allocatable = ResourceList.read(node.allocatable());
    Map<String, Quantity> missing = new TreeMap<>();
    Quantity places = Quantity.of(taken.pods() + 1L).minus(allocatable.get(ResourceList.PODS));
    if (places.signum() > 0) {
      missing.put(ResourceList.PODS, places);
    }
    requests
        .amounts()
        .forEach((resource, asked) -> {
          Quantity used = taken.used().getOrDefault(resource, Quantity.ZERO);
          Quantity lacking = used.plus(asked).minus(allocatable.get(resource));
          boolean unknown = ResourceNames.isExtended(resource) && !allocatable.has(resource);
          if (!unknown && asked.signum() > 0 && lacking.signum() > 0) {
            missing.put(resource, lacking);
          }
        });
    return missing;
  }

  /** The ports of its node that a pod wants. */
  public static Stream<ContainerPort> hostPorts(PodSpecView pod) {
    Stream<ContainerView> sidecars =
        pod.initContainers().stream().filter(ContainerView::alwaysRestarts);
    return Stream.concat(pod.containers().stream(), sidecars)
        .flatMap(container -> container.ports().stream())
        .filter(port -> port.hostPort() > 0);
  }

  private static boolean isTaken(ContainerPort wanted, List<ContainerPort> taken) {
    return taken.stream()
        .anyMatch(port ->
            port.hostPort() == wanted.hostPort()
                && port.protocol().equals(wanted.protocol())
                && (port.hostIp().equals(wanted.hostIp())
                    || isEverywhere(port.hostIp())
                    || isEverywhere(wanted.hostIp())));
  }

  private static boolean isEverywhere(String address) {
    return address.isEmpty() || address.equals("0.0.0.0") || address.equals("::");
  }

  private static AdmissionRejection insufficient(String resource, long asked, long used, long has) {
    return new AdmissionRejection(
        "OutOf" + resource,
        "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
            .formatted(resource, asked, used, has));
  }
}
