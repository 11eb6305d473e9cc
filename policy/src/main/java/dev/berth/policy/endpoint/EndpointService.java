package dev.berth.policy.endpoint;

import dev.berth.model.core.NamedPort;
import dev.berth.model.network.ServicePort;
import dev.berth.model.network.ServiceView;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A service, asked what it says about a pod.
 *
 * <ol>
 *   <li>A pod is ready if it says so and is not on its way out; to a service that publishes
 *       addresses that are not ready, each pod is. Whether it serves and whether it is on its way
 *       out is said apart from that.
 *   <li>A port that is a name is whatever number the pod gives that name; a pod without such a port
 *       has the service's other ports only. So two pods of a service may have other ports.
 *   <li>Pods that have finished, have no address, or are on a node that does not exist are left
 *       out; the last only if the service wants pods that are ready.
 * </ol>
 */
public record EndpointService(ServiceView view) {
  /** The name under which slices are kept here, in the label that says who keeps them. */
  public static final String MANAGER = "endpointslice-controller.k8s.io";

  static final String IPV4 = "IPv4";
  static final String IPV6 = "IPv6";

  public static EndpointService read(JsonObject service) {
    return new EndpointService(ServiceView.read(service));
  }

  /** Whether it has pods of its own that are to be written down. */
  public boolean hasPods() {
    return !view.selector().isEmpty() && !view.type().equals("ExternalName");
  }

  boolean publishesNotReady() {
    return view.publishNotReadyAddresses();
  }

  /** The families of its addresses; there are slices for each. */
  List<String> addressTypes() {
    if (!view.ipFamilies().isEmpty()) {
      return view.ipFamilies();
    }
    return view.clusterIp().isEmpty() || view.isHeadless()
        ? List.of(IPV4, IPV6)
        : List.of(family(view.clusterIp()));
  }

  static String family(String address) {
    return address.indexOf(':') < 0 ? IPV4 : IPV6;
  }

  /** The ports of a pod that the service leads to. */
  List<EndpointPort> ports(EndpointPod pod) {
    List<EndpointPort> ports = new ArrayList<>();
    for (ServicePort port : view.ports()) {
      target(port, pod)
          .ifPresent(number ->
              ports.add(
                  new EndpointPort(port.name(), port.protocol(), number, port.appProtocol())));
    }
    return ports;
  }

  private static Optional<Long> target(ServicePort port, EndpointPod pod) {
    if (!port.targetPortName().isEmpty()) {
      return pod.ports().stream()
          .filter(
              p -> p.name().equals(port.targetPortName()) && p.protocol().equals(port.protocol()))
          .map(NamedPort::port)
          .findFirst();
    }
    return Optional.of(port.targetPort() > 0 ? port.targetPort() : port.port());
  }

  /**
   * The endpoint that stands for a pod.
   *
   * @param zone of the pod's node; empty if it is in none
   * @return empty if the pod has no address of that family
   */
  Optional<Endpoint> endpoint(EndpointPod pod, String addressType, String zone) {
    List<String> addresses = pod.addresses(addressType);
    if (addresses.isEmpty()) {
      return Optional.empty();
    }
    boolean ready = publishesNotReady() || (pod.ready() && !pod.terminating());
    boolean named = !pod.hostname().isEmpty() && pod.subdomain().equals(view.name());
    return Optional.of(
        new Endpoint(
            pod, addresses, ready, named ? pod.hostname() : "", zone, view.trafficDistribution()));
  }
}
