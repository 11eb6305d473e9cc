package dev.berth.model.network;

import dev.berth.model.core.Views;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A service whose addresses lead somewhere.
 *
 * @param clusterIps one of each of its families
 * @param externalIps which others route to the nodes
 * @param ingressIps of its load balancer, as far as what is sent there arrives at nodes with that
 *     address
 * @param sourceRanges who may use its ingress addresses; everybody if there are none
 * @param affinitySeconds for how long a client stays with its endpoint; empty if it does not
 * @param internalLocal whether clients of the cluster reach endpoints of their own node alone
 * @param externalLocal whether clients from outside reach endpoints of the node that they came to
 *     alone
 * @param healthCheckPort where load balancers ask nodes whether they have such; 0 for nowhere
 */
public record ProxiedService(
    ObjectName name,
    List<String> clusterIps,
    List<ServicePort> ports,
    List<String> externalIps,
    List<String> ingressIps,
    List<String> sourceRanges,
    OptionalLong affinitySeconds,
    boolean internalLocal,
    boolean externalLocal,
    int healthCheckPort) {

  /** Says that another proxy looks after a service. */
  private static final String OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

  private static final String LOCAL = "Local";
  private static final String LOAD_BALANCER = "LoadBalancer";
  private static final long THREE_HOURS = 10_800;

  /** Empty if a service has no addresses, or is another proxy's. */
  public static Optional<ProxiedService> read(JsonObject service) {
    JsonObject metadata = service.object("metadata");
    JsonObject spec = service.object("spec");
    String address = spec.text("clusterIP", "");
    String type = spec.text("type", "");
    if (address.isEmpty()
        || address.equals("None")
        || type.equals("ExternalName")
        || metadata.object("labels").has(OTHER_PROXY)) {
      return Optional.empty();
    }
    List<String> clusterIps = spec.array("clusterIPs").texts();
    List<String> externalIps = spec.array("externalIPs").texts();
    boolean isExternal =
        type.equals("NodePort") || type.equals(LOAD_BALANCER) || !externalIps.isEmpty();
    boolean externalLocal = isExternal && spec.text("externalTrafficPolicy", "").equals(LOCAL);
    return Optional.of(
        new ProxiedService(
            new ObjectName(metadata.text("namespace", ""), metadata.text("name", "")),
            clusterIps.isEmpty() ? List.of(address) : clusterIps,
            Views.list(spec.array("ports"), ServicePort::read),
            externalIps,
            ingress(service),
            spec.array("loadBalancerSourceRanges").texts().stream().map(String::strip).toList(),
            affinity(spec),
            spec.text("internalTrafficPolicy", "").equals(LOCAL),
            externalLocal,
            externalLocal && type.equals(LOAD_BALANCER)
                ? (int) spec.integer("healthCheckNodePort").orElse(0)
                : 0));
  }

  private static List<String> ingress(JsonObject service) {
    List<String> addresses = new ArrayList<>();
    for (JsonObject each :
        service.object("status").object("loadBalancer").array("ingress").objects()) {
      String address = each.text("ip", "");
      if (!address.isEmpty() && each.text("ipMode", "VIP").equals("VIP")) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  private static OptionalLong affinity(JsonObject spec) {
    return spec.text("sessionAffinity", "").equals("ClientIP")
        ? OptionalLong.of(
            spec.object("sessionAffinityConfig")
                .object("clientIP")
                .integer("timeoutSeconds")
                .orElse(THREE_HOURS))
        : OptionalLong.empty();
  }

  /** Whether a port of it is reached by other addresses than the cluster's. */
  public boolean isExternallyAccessible(ServicePort port) {
    return port.nodePort() != 0 || !ingressIps.isEmpty() || !externalIps.isEmpty();
  }
}
