package dev.berth.apiserver.aggregation;

import dev.berth.kinds.apiregistration.ApiRegistrationResources;
import dev.berth.kinds.resource.Catalog;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which APIServices there should be for what this server answers itself. One that somebody made, or
 * that names a service, is left alone.
 */
final class LocalApiServices {
  /** Says that the server made it: once, or for as long as it serves the group and version. */
  static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

  private static final String ONCE = "onstart";
  private static final String ALWAYS = "true";

  /** The order of groups in discovery; upstream's numbers. */
  private static final Map<String, Integer> GROUP_PRIORITIES =
      Map.ofEntries(
          Map.entry("", 18000),
          Map.entry("apps", 17800),
          Map.entry("events.k8s.io", 17750),
          Map.entry("authentication.k8s.io", 17700),
          Map.entry("authorization.k8s.io", 17600),
          Map.entry("autoscaling", 17500),
          Map.entry("batch", 17400),
          Map.entry("certificates.k8s.io", 17300),
          Map.entry("networking.k8s.io", 17200),
          Map.entry("policy", 17100),
          Map.entry("rbac.authorization.k8s.io", 17000),
          Map.entry("storage.k8s.io", 16800),
          Map.entry("apiextensions.k8s.io", 16700),
          Map.entry("admissionregistration.k8s.io", 16700),
          Map.entry("scheduling.k8s.io", 16600),
          Map.entry("coordination.k8s.io", 16500),
          Map.entry("node.k8s.io", 16300),
          Map.entry("discovery.k8s.io", 16200),
          Map.entry("resource.k8s.io", 16200),
          Map.entry("flowcontrol.apiserver.k8s.io", 16100));

  private static final Map<GroupVersion, Integer> VERSION_PRIORITIES =
      Map.of(
          new GroupVersion("", "v1"), 1,
          new GroupVersion("autoscaling", "v2"), 30,
          new GroupVersion("flowcontrol.apiserver.k8s.io", "v1"), 21,
          new GroupVersion("resource.k8s.io", "v1"), 21);

  private static final int BUILT_IN_VERSION = 15;
  private static final int CUSTOM_GROUP = 1000;
  private static final int CUSTOM_VERSION = 100;

  private LocalApiServices() {}

  /** What to create and what to delete. */
  record Changes(List<JsonObject> create, List<String> delete) {}

  static Changes changes(Catalog catalog, List<JsonObject> existing) {
    Set<String> names = new HashSet<>();
    existing.forEach(each -> names.add(Metadata.of(each).name()));
    List<JsonObject> create = new ArrayList<>();
    Set<String> served = new HashSet<>();
    for (GroupVersion version : catalog.versions()) {
      served.add(name(version));
      boolean isItself = version.group().equals(ApiRegistrationResources.GROUP);
      if (!isItself && !names.contains(name(version))) {
        create.add(apiService(version));
      }
    }
    List<String> delete =
        existing.stream()
            .map(Metadata::of)
            .filter(each -> each.labels().text(MANAGED, "").equals(ALWAYS))
            .map(Metadata::name)
            .filter(name -> !served.contains(name))
            .toList();
    return new Changes(create, delete);
  }

  private static String name(GroupVersion version) {
    return version.version() + "." + version.group();
  }

  private static JsonObject apiService(GroupVersion version) {
    boolean builtIn = GROUP_PRIORITIES.containsKey(version.group());
    long group = GROUP_PRIORITIES.getOrDefault(version.group(), CUSTOM_GROUP);
    long own =
        VERSION_PRIORITIES.getOrDefault(version, builtIn ? BUILT_IN_VERSION : CUSTOM_VERSION);
    JsonObject metadata =
        JsonObject.of("name", name(version))
            .with("labels", JsonObject.of(MANAGED, builtIn ? ONCE : ALWAYS));
    JsonObject.Builder spec = new JsonObject.Builder();
    if (!version.group().isEmpty()) {
      spec.put("group", version.group());
    }
    spec.put("version", version.version())
        .put("groupPriorityMinimum", group)
        .put("versionPriority", own);
    return new JsonObject.Builder().put("metadata", metadata).put("spec", spec.build()).build();
  }
}
