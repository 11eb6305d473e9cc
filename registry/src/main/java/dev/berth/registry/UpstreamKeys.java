package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import java.util.Map;
import java.util.Set;

/**
 * The keys under which Kubernetes stores objects in etcd, which some of its messages name. Those of
 * Berth's stores are others: they name the group of every resource.
 */
public final class UpstreamKeys {
  /** By resource: the first steps of keys that do not begin with its name. */
  private static final Map<String, String> PREFIXES =
      Map.of(
          "replicationcontrollers", "controllers",
          "endpoints", "services/endpoints",
          "nodes", "minions",
          "services", "services/specs",
          "ingresses.networking.k8s.io", "ingress");

  /** Groups whose servers are behind the main one and put their name before that of resources. */
  private static final Set<String> GROUPS =
      Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  private UpstreamKeys() {}

  /** What the keys of a resource begin with, without slashes around it. */
  public static String prefix(Resource resource) {
    String group = resource.kind().group();
    return resource.custom().isPresent() || GROUPS.contains(group)
        ? group + "/" + resource.plural()
        : PREFIXES.getOrDefault(resource.groupResource().toString(), resource.plural());
  }

  static String of(Resource resource, Metadata object) {
    String namespace = resource.isNamespaced() ? object.namespace() + "/" : "";
    return "/" + prefix(resource) + "/" + namespace + object.name();
  }
}
