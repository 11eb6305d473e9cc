package dev.berth.kinds.resource;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toUnmodifiableList;

import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All resources that are served. */
public final class Catalog {
  private final Map<GroupVersionResource, Resource> byName = new HashMap<>();
  private final Map<GroupVersion, List<Resource>> byVersion;

  public Catalog(Collection<Resource> resources) {
    byVersion =
        resources.stream()
            .collect(
                groupingBy(r -> r.kind().groupVersion(), LinkedHashMap::new, toUnmodifiableList()));
    for (Resource resource : resources) {
      Resource other =
          byName.put(resource.kind().groupVersion().resource(resource.plural()), resource);
      if (other != null) {
        throw new IllegalArgumentException("The resource " + resource + " is declared twice.");
      }
    }
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

  /** A resource that is known to be there. */
  public Resource get(String group, String version, String plural) {
    return find(new GroupVersionResource(group, version, plural))
        .orElseThrow(
            () -> new IllegalArgumentException("There is no resource " + plural + "." + group));
  }

  /** The groups and versions in the order in which they were declared. */
  public Collection<GroupVersion> versions() {
    return byVersion.keySet();
  }

  public List<Resource> resources(GroupVersion version) {
    return byVersion.getOrDefault(version, List.of());
  }
}
