package dev.berth.apiserver;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/** What every cluster has from the start; made where it is missing, and otherwise left alone. */
final class InitialObjects {
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private static final long CLUSTER_CRITICAL = 2_000_000_000;
  private static final long NODE_CRITICAL = 2_000_001_000;
  private static final long HTTPS = 443;

  /** The name of the service, and of where it leads to. */
  private static final String KUBERNETES = "kubernetes";

  private final Registry registry;

  InitialObjects(Registry registry) {
    this.registry = registry;
  }

  /** Namespaces and the system's priority classes. */
  void create() {
    Resource namespaces = registry.catalog().get("", "v1", "namespaces");
    for (String name : NAMESPACES) {
      JsonObject namespace = JsonObject.of("metadata", JsonObject.of("name", name));
      createOnce(namespaces, "", name, namespace);
    }
    priorityClass(
        "system-cluster-critical",
        CLUSTER_CRITICAL,
        "Used for system critical pods that must run in the cluster, but can be moved to another"
            + " node if necessary.");
    priorityClass(
        "system-node-critical",
        NODE_CRITICAL,
        "Used for system critical pods that must not be moved from their current node.");
  }

  private void priorityClass(String name, long value, String description) {
    JsonObject priorityClass =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", name))
            .put("value", value)
            .put("description", description)
            .build();
    createOnce(
        registry.catalog().get("scheduling.k8s.io", "v1", "priorityclasses"),
        "",
        name,
        priorityClass);
  }

  /** The service by which pods find the API. */
  void kubernetesService(int port) {
    JsonObject labels =
        new JsonObject.Builder().put("component", "apiserver").put("provider", KUBERNETES).build();
    JsonObject service =
        new JsonObject.Builder()
            .put(
                "metadata",
                new JsonObject.Builder().put("name", KUBERNETES).put("labels", labels).build())
            .put(
                "spec",
                new JsonObject.Builder()
                    .put("clusterIP", "10.96.0.1")
                    .put(
                        "ports",
                        JsonArray.of(
                            new JsonObject.Builder()
                                .put("name", "https")
                                .put("port", HTTPS)
                                .put("targetPort", (long) port)
                                .build()))
                    .build())
            .build();
    createOnce(registry.catalog().get("", "v1", "services"), "default", KUBERNETES, service);
  }

  /**
   * Where the service that pods find the API by leads to: Endpoints and an EndpointSlice of the
   * same name; kept as they should be.
   */
  void kubernetesEndpoints(InetAddress address, int port) {
    JsonArray addresses = JsonArray.of(address.getHostAddress());
    JsonArray ports =
        JsonArray.of(
            new JsonObject.Builder()
                .put("name", "https")
                .put("port", (long) port)
                .put("protocol", "TCP")
                .build());
    JsonObject subset =
        new JsonObject.Builder()
            .put("addresses", JsonArray.of(JsonObject.of("ip", addresses.get(0))))
            .put("ports", ports)
            .build();
    // Nobody is to make slices of these endpoints: there is one already.
    JsonObject unmirrored = JsonObject.of("endpointslice.kubernetes.io/skip-mirror", "true");
    keep(
        registry.catalog().get("", "v1", "endpoints"),
        named(unmirrored).with("subsets", JsonArray.of(subset)));
    JsonObject endpoint =
        new JsonObject.Builder()
            .put("addresses", addresses)
            .put("conditions", JsonObject.of("ready", true))
            .build();
    keep(
        registry.catalog().get("discovery.k8s.io", "v1", "endpointslices"),
        named(JsonObject.of("kubernetes.io/service-name", KUBERNETES))
            .with("addressType", address instanceof Inet6Address ? "IPv6" : "IPv4")
            .with("endpoints", JsonArray.of(endpoint))
            .with("ports", ports));
  }

  private static JsonObject named(JsonObject labels) {
    return JsonObject.of("metadata", JsonObject.of("name", KUBERNETES).with("labels", labels));
  }

  /** Makes an object of the namespace {@code default} be what it should be. */
  private void keep(Resource resource, JsonObject wanted) {
    createOnce(resource, "default", KUBERNETES, wanted);
    registry.modify(
        resource,
        new ObjectName("default", KUBERNETES),
        WriteOptions.DEFAULT,
        old -> {
          JsonObject.Builder kept = new JsonObject.Builder();
          old.forEach(kept::put);
          wanted.without("metadata").forEach(kept::put);
          return kept.build();
        });
  }

  /**
   * Where the cluster is and whom to trust, for machines that are to join; kept as it should be.
   * Its signatures stay until whoever makes them has noticed.
   */
  void clusterInfo(String kubeconfig) {
    configMap(
        new ObjectName(ClusterInfoTree.NAMESPACE, ClusterInfoTree.NAME),
        JsonObject.of(ClusterInfoTree.KUBECONFIG, kubeconfig));
  }

  /** How servers of other groups know this one and its clients; kept as it should be. */
  void extensionAuthentication(JsonObject data) {
    configMap(new ObjectName("kube-system", "extension-apiserver-authentication"), data);
  }

  /** A ConfigMap with at least these data. */
  private void configMap(ObjectName name, JsonObject data) {
    Resource configMaps = registry.catalog().get("", "v1", "configmaps");
    JsonObject fresh =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", name.name()))
            .put("data", data)
            .build();
    createOnce(configMaps, name.namespace(), name.name(), fresh);
    JsonObject found = registry.get(configMaps, name).tree().object("data");
    if (!data.withMissing(found).equals(found)) {
      registry.modify(
          configMaps,
          name,
          WriteOptions.DEFAULT,
          old -> old.with("data", data.withMissing(old.object("data"))));
    }
  }

  private void createOnce(Resource resource, String namespace, String name, JsonObject object) {
    if (registry.find(resource, new ObjectName(namespace, name)).isEmpty()) {
      registry.create(resource, namespace, object, WriteOptions.DEFAULT);
    }
  }
}
