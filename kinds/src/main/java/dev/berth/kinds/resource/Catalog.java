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
  private final Map<GroupVersionResource, Resource> byName = new HashMap<>();
  private final Map<GroupVersion, List<Resource>> byVersion;
  private final Map<Resource, List<Resource>> byStored = new HashMap<>();

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
      byStored.computeIfAbsent(resource.stored(), _ -> new ArrayList<>()).add(resource);
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

  /** The groups and versions in the order in which they were declared. */
  public Collection<GroupVersion> versions() {
    return byVersion.keySet();
  }

  public List<Resource> resources(GroupVersion version) {
    return byVersion.getOrDefault(version, List.of());
  }
}
