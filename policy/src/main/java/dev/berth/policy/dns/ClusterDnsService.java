package dev.berth.policy.dns;

import dev.berth.model.meta.Metadata;
import dev.berth.model.network.ClusterIpsView;
import dev.berth.model.network.ServiceView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.service.ServiceRange;
import java.util.List;
import java.util.Optional;

/**
 * The Service {@code kube-dns} by which a cluster's name server is known to pods, to tools and to
 * nodes that join. An annotation says that the agents of nodes serve it, each to its own pods, and
 * for which domain; without it, the service is that of a name server which somebody has installed.
 *
 * @param domain such as {@code cluster.local}
 * @param addresses one of each family of services
 */
public record ClusterDnsService(String domain, List<String> addresses) {
  public static final ObjectName NAME = new ObjectName("kube-system", "kube-dns");
  public static final String USUAL_DOMAIN = "cluster.local";
  private static final String DOMAIN = "berth.dev/cluster-domain";
  private static final String LABEL = "k8s-app";
  private static final int TENTH = 9;
  private static final long PORT = 53;

  public ClusterDnsService {
    addresses = List.copyOf(addresses);
  }

  /** At the usual address: the tenth of each range; none if a range has not so many. */
  public static ClusterDnsService in(String domain, List<ServiceRange> ranges) {
    List<String> addresses = ranges.stream().flatMap(range -> range.nth(TENTH).stream()).toList();
    return new ClusterDnsService(domain, addresses.size() == ranges.size() ? addresses : List.of());
  }

  /** Empty if the agents of nodes do not serve it. */
  public static Optional<ClusterDnsService> read(JsonObject service) {
    String domain = Metadata.of(service).annotation(DOMAIN).orElse("");
    ServiceView view = ServiceView.read(service);
    ClusterIpsView known = ClusterIpsView.read(service);
    return !known.name().equals(NAME) || domain.isEmpty() || !view.selector().isEmpty()
        ? Optional.empty()
        : Optional.of(new ClusterDnsService(domain, known.addresses()));
  }

  /** The annotation, as a change of a service's metadata. */
  public JsonObject annotation() {
    return JsonObject.of("metadata", JsonObject.of("annotations", JsonObject.of(DOMAIN, domain)));
  }

  public JsonObject toTree() {
    return new JsonObject.Builder()
        .put("kind", "Service")
        .put("apiVersion", "v1")
        .put(
            "metadata",
            new JsonObject.Builder()
                .put("name", NAME.name())
                .put("namespace", NAME.namespace())
                .put("labels", JsonObject.of(LABEL, NAME.name()))
                .put("annotations", JsonObject.of(DOMAIN, domain))
                .build())
        .put(
            "spec",
            new JsonObject.Builder()
                .put("clusterIP", addresses.getFirst())
                .put("clusterIPs", JsonArray.copyOf(addresses))
                .put("ipFamilyPolicy", addresses.size() > 1 ? "RequireDualStack" : "SingleStack")
                .put("ports", JsonArray.of(port("dns", "UDP"), port("dns-tcp", "TCP")))
                .build())
        .build();
  }

  private static JsonObject port(String name, String protocol) {
    return new JsonObject.Builder()
        .put("name", name)
        .put("protocol", protocol)
        .put("port", PORT)
        .put("targetPort", PORT)
        .build();
  }
}
