package dev.berth.policy.endpoint;

import dev.berth.model.core.NamedPort;
import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A pod as a service sees it. Whoever keeps slices holds one of these for each pod of a service, so
 * it holds nothing else.
 *
 * @param addresses of both families, in the pod's order
 * @param finished whether it will never serve again
 * @param ports those that have names, since only they are looked up
 */
public record EndpointPod(
    String namespace,
    String name,
    String uid,
    List<String> addresses,
    String nodeName,
    String hostname,
    String subdomain,
    boolean ready,
    boolean terminating,
    boolean finished,
    List<NamedPort> ports) {

  public static EndpointPod read(JsonObject tree) {
    PodTree pod = new PodTree(tree);
    return new EndpointPod(
        pod.metadata().namespace(),
        pod.metadata().name(),
        pod.uid(),
        pod.addresses(),
        pod.nodeName(),
        pod.hostname(),
        pod.subdomain(),
        pod.ready(),
        pod.terminating(),
        pod.phase().finished(),
        pod.namedPorts());
  }

  /** Its addresses of a family. */
  List<String> addresses(String family) {
    return addresses.stream()
        .filter(address -> EndpointService.family(address).equals(family))
        .toList();
  }
}
