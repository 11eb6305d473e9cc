package dev.berth.serving.connect;

import dev.berth.http.outgoing.Destination;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Finds kubelets by what their nodes' status says: the first of their addresses, by the order of
 * types that the server prefers, and their port.
 *
 * @param preferredAddressTypes as {@code --kubelet-preferred-address-types}
 * @param tls presents the server's client certificate, and trusts the cluster's authority
 * @param insecureTls presents the same, and trusts everybody
 * @param verifies whether to trust those alone that the first vouches for, unless a request does
 *     not want that
 * @param allowsLoopback whether nodes and pods at loopback addresses may be proxied to
 */
public record KubeletConnector(
    List<String> preferredAddressTypes,
    Supplier<SSLContext> tls,
    Supplier<SSLContext> insecureTls,
    boolean verifies,
    boolean allowsLoopback)
    implements NodeConnector {

  /** Names of machines are rarely known to others, so addresses go first, as with kubeadm. */
  public static final List<String> ADDRESS_TYPES =
      List.of("InternalIP", "ExternalIP", "Hostname", "InternalDNS", "ExternalDNS");

  private static final int DEFAULT_PORT = 10_250;
  private static final String SIMULATED_RUNTIME = "hollow:";

  public KubeletConnector {
    preferredAddressTypes = List.copyOf(preferredAddressTypes);
  }

  @Override
  public Destination kubelet(JsonObject node, boolean wantsVerified) {
    JsonObject status = node.object("status");
    String name = node.object("metadata").text("name", "");
    long port =
        status.object("daemonEndpoints").object("kubeletEndpoint").integer("Port").orElse(0);
    String runtime = status.object("nodeInfo").text("containerRuntimeVersion", "");
    if (port == 0 && runtime.startsWith(SIMULATED_RUNTIME)) {
      throw new StatusException(
          new Status(
              501,
              "NotImplemented",
              "node %s is simulated: its pods have no processes, logs or ports".formatted(name),
              null));
    }
    boolean isVerified = verifies && wantsVerified;
    Destination destination =
        new Destination(
            address(name, status),
            port == 0 ? DEFAULT_PORT : (int) port,
            Optional.of(isVerified ? tls.get() : insecureTls.get()));
    return isVerified ? destination : destination.anyName();
  }

  private String address(String node, JsonObject status) {
    List<JsonObject> addresses = status.array("addresses").objects();
    for (String type : preferredAddressTypes) {
      for (JsonObject address : addresses) {
        String text = address.text("address", "");
        if (address.text("type", "").equals(type) && !text.isEmpty()) {
          return text;
        }
      }
    }
    List<String> known = addresses.stream().map(each -> each.text("address", "")).toList();
    throw new StatusException(
        new Status(
            500,
            "InternalError",
            "no preferred addresses found for node %s; known addresses: %s".formatted(node, known),
            null));
  }

  @Override
  public boolean mayProxyTo(InetAddress address) {
    boolean global =
        !address.isAnyLocalAddress()
            && !address.isLoopbackAddress()
            && !address.isLinkLocalAddress()
            && !address.isMulticastAddress();
    return global || (allowsLoopback && address.isLoopbackAddress());
  }
}
