package dev.berth.kinds.resource;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toUnmodifiableList;

import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All resources that are served. */
public final class Catalog {
  /** Kubernetes' own groups as discovery lists them: of two with a kind, clients take the first. */
  private static final List<String> GROUP_ORDER =
      List.of(
          "",
          "apiregistration.k8s.io",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io",
          "resource.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  private final Map<GroupVersionResource, Resource> byName = new HashMap<>();
  private final Map<GroupVersion, List<Resource>> byVersion;
  private final Map<Resource, List<Resource>> byStored = new HashMap<>();

  public Catalog(Collection<Resource> resources) {
    byVersion =
        resources.stream()
            .sorted(Comparator.comparingInt(resource -> place(resource.kind().group())))
            .collect(
                groupingBy(r -> r.kind().groupVersion(), LinkedHashMap::new, toUnmodifiableList()));
    for (Resource resource : resources) {
      Resource other =
          byName.put(resource.kind().groupVersion().resource(resource.plural()), resource);
      if (other != null) {
        throw new IllegalArgumentException("The resource " + resource + " is declared twice.");
      }
      byStored.computeIfAbsent(resource.stored(), _ -> new ArrayList<>()).add(resource);
    }
  }

  private static int place(String group) {
    int known = GROUP_ORDER.indexOf(group);
    return known < 0 ? GROUP_ORDER.size() : known;
  }

  public Optional<Resource> find(GroupVersionResource name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The resource of a group, in whatever version it is served. */
  public Optional<Resource> find(GroupResource name) {
    return byName.values().stream()
        .filter(resource -> resource.groupResource().equals(name))
        .findFirst();
  }

  /** The resources that serve the same objects as one does, in other forms; itself first. */
  public List<Resource> equivalents(Resource resource) {
    return byStored.getOrDefault(resource.stored(), List.of(resource)).stream()
        .sorted(Comparator.comparing(each -> !each.equals(resource)))
        .toList();
  }

  /** A resource that is known to be there. */
  public Resource get(String group, String version, String plural) {
    return find(new GroupVersionResource(group, version, plural))
        .orElseThrow(
            () -> new IllegalArgumentException("There is no resource " + plural + "." + group));
  }

  /** The groups in the order of discovery, and their versions as they were declared. */
  public Collection<GroupVersion> versions() {
    return byVersion.keySet();
  }

  public List<Resource> resources(GroupVersion version) {
    return byVersion.getOrDefault(version, List.of());
  }
}
