package dev.berth.policy.endpoint;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
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
public record EndpointService(JsonObject tree) {
  /** The name under which slices are kept here, in the label that says who keeps them. */
  public static final String MANAGER = "endpointslice-controller.k8s.io";

  static final String IPV4 = "IPv4";
  static final String IPV6 = "IPv6";

  /** Whether it has pods of its own that are to be written down. */
  public boolean hasPods() {
    JsonObject spec = tree.object("spec");
    return !spec.object("selector").isEmpty() && !spec.text("type", "").equals("ExternalName");
  }

  boolean isHeadless() {
    return tree.object("spec").text("clusterIP", "").equals("None");
  }

  boolean publishesNotReady() {
    return tree.object("spec").flag("publishNotReadyAddresses", false);
  }

  /** The families of its addresses; there are slices for each. */
  List<String> addressTypes() {
    JsonObject spec = tree.object("spec");
    List<String> families = spec.array("ipFamilies").texts();
    if (!families.isEmpty()) {
      return families;
    }
    String own = spec.text("clusterIP", "");
    return own.isEmpty() || isHeadless() ? List.of(IPV4, IPV6) : List.of(family(own));
  }

  static String family(String address) {
    return address.indexOf(':') < 0 ? IPV4 : IPV6;
  }

  /** The ports of a pod that the service leads to, as slices say them. */
  JsonArray ports(EndpointPod pod) {
    List<JsonObject> ports = new ArrayList<>();
    for (JsonObject port : tree.object("spec").array("ports").objects()) {
      String protocol = port.text("protocol", "TCP");
      target(port, protocol, pod)
          .ifPresent(number ->
              ports.add(
                  new JsonObject.Builder()
                      .put("name", port.text("name", ""))
                      .put("protocol", protocol)
                      .put("port", number)
                      .putIfPresent("appProtocol", port.get("appProtocol"))
                      .build()));
    }
    return JsonArray.copyOf(ports);
  }

  private static Optional<Long> target(JsonObject port, String protocol, EndpointPod pod) {
    return switch (port.get("targetPort")) {
      case Long number when number > 0 -> Optional.of(number);
      case String name when !name.isEmpty() ->
          pod.ports().stream()
              .filter(p -> p.name().equals(name) && p.protocol().equals(protocol))
              .map(EndpointPod.NamedPort::port)
              .findFirst();
      case null, default -> Optional.of(port.integer("port").orElse(0));
    };
  }

  /**
   * What a slice says about a pod.
   *
   * @param zone of the pod's node; empty if it is in none
   * @return empty if the pod has no address of that family
   */
  Optional<JsonObject> endpoint(EndpointPod pod, String addressType, String zone) {
    List<String> addresses =
        pod.addresses().stream().filter(address -> family(address).equals(addressType)).toList();
    if (addresses.isEmpty()) {
      return Optional.empty();
    }
    JsonObject conditions =
        new JsonObject.Builder()
            .put("ready", publishesNotReady() || (pod.ready() && !pod.terminating()))
            .put("serving", pod.ready())
            .put("terminating", pod.terminating())
            .build();
    JsonObject target =
        new JsonObject.Builder()
            .put("kind", "Pod")
            .put("namespace", pod.namespace())
            .put("name", pod.name())
            .put("uid", pod.uid())
            .build();
    boolean named = !pod.hostname().isEmpty() && pod.subdomain().equals(Metadata.of(tree).name());
    return Optional.of(
        new JsonObject.Builder()
            .put("addresses", JsonArray.copyOf(addresses))
            .put("conditions", conditions)
            .putIfPresent("hostname", named ? pod.hostname() : null)
            .put("targetRef", target)
            .putIfPresent("nodeName", pod.nodeName().isEmpty() ? null : pod.nodeName())
            .putIfPresent("zone", zone.isEmpty() ? null : zone)
            .build());
  }
}
