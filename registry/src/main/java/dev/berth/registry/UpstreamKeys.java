package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import java.util.Map;

/**
 * The keys under which Kubernetes stores objects in etcd, which some of its messages name. Ours are
 * others (see {@link ObjectKeys}).
 */
final class UpstreamKeys {
  /** By resource: the first steps of keys that do not begin with its name. */
  private static final Map<String, String> PREFIXES =
      Map.of(
          "replicationcontrollers", "controllers",
          "endpoints", "services/endpoints",
          "nodes", "minions",
          "services", "services/specs",
          "ingresses.networking.k8s.io", "ingress");

  private UpstreamKeys() {}

  static String of(Resource resource, Metadata object) {
    String prefix = PREFIXES.getOrDefault(resource.groupResource().toString(), resource.plural());
    String namespace = resource.isNamespaced() ? object.namespace() + "/" : "";
    return "/" + prefix + "/" + namespace + object.name();
  }
}
