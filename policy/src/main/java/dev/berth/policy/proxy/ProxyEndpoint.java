package dev.berth.policy.proxy;

import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.network.EndpointView;
import dev.berth.model.network.ServicePort;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where packets to a port of a service may go.
 *
 * @param serving whether it answers, though it may be about to end
 * @param local whether it is on this node
 * @param forNodes the nodes whose clients should use it; empty if nobody says
 * @param forZones the same, by zone
 */
public record ProxyEndpoint(
    String address,
    int port,
    boolean ready,
    boolean serving,
    boolean terminating,
    boolean local,
    Set<String> forNodes,
    Set<String> forZones) {

  /** A ready one without hints. */
  public static ProxyEndpoint of(String address, int port, boolean local) {
    return new ProxyEndpoint(address, port, true, true, false, local, Set.of(), Set.of());
  }

  boolean servesWhileTerminating() {
    return serving && terminating;
  }

  /**
   * The endpoints of a port, in the order of their addresses.
   *
   * @param slices of the service
   * @param node the name of this one
   */
  public static List<ProxyEndpoint> of(
      Collection<JsonObject> slices, Family family, ServicePort port, String node) {
    Map<String, ProxyEndpoint> found = new LinkedHashMap<>();
    for (JsonObject tree : slices) {
      EndpointSliceView slice = new EndpointSliceView(tree);
      if (!slice.addressType().equals(family.toString())) {
        continue;
      }
      for (ServicePort slicePort : slice.portViews()) {
        if (slicePort.port() == 0
            || !slicePort.name().equals(port.name())
            || !slicePort.protocol().equals(port.protocol())) {
          continue;
        }
        for (EndpointView endpoint : slice.endpointViews()) {
          Optional<String> address =
              endpoint.addresses().stream()
                  .findFirst()
                  .flatMap(text -> ProxyNode.address(text, family));
          if (address.isPresent()) {
            ProxyEndpoint read = of(endpoint, address.get(), (int) slicePort.port(), node);
            // While a pod moves from one slice to another it may be in both.
            found.merge(
                read.address + " " + read.port, read, (one, other) -> one.ready ? one : other);
          }
        }
      }
    }
    return found.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  private static ProxyEndpoint of(EndpointView endpoint, String address, int port, String node) {
    return new ProxyEndpoint(
        address,
        port,
        endpoint.ready(),
        endpoint.serving(),
        endpoint.terminating(),
        endpoint.nodeName().equals(node),
        endpoint.forNodes(),
        endpoint.forZones());
  }
}
