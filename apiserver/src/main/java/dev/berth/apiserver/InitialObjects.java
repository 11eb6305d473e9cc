package dev.berth.apiserver;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.serviceaccount.LegacyTokenCleanup;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import java.util.List;

/** What every cluster has from the start; made where it is missing, and otherwise left alone. */
final class InitialObjects {
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private static final long CLUSTER_CRITICAL = 2_000_000_000;
  private static final long NODE_CRITICAL = 2_000_001_000;

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

  /** Since when the use of service accounts' tokens in secrets is written down. */
  void tokenTracking() {
    String today = LegacyTokenCleanup.day(registry.now()).toString();
    createOnce(
        registry.catalog().get("", "v1", "configmaps"),
        "kube-system",
        LegacyTokenCleanup.TRACKING,
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", LegacyTokenCleanup.TRACKING))
            .put("data", JsonObject.of(LegacyTokenCleanup.SINCE, today))
            .build());
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
