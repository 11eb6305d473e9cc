package dev.berth.policy.device;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which containers have which devices. */
public record DeviceAssignments(SortedMap<Holder, Assignment> all) {
  public static final DeviceAssignments NONE = new DeviceAssignments(new TreeMap<>());

  /** A container's share of a resource. */
  public record Holder(String podUid, String container, String resource)
      implements Comparable<Holder> {
    @Override
    public int compareTo(Holder other) {
      int byPod = podUid.compareTo(other.podUid);
      int byContainer = byPod != 0 ? byPod : container.compareTo(other.container);
      return byContainer != 0 ? byContainer : resource.compareTo(other.resource);
    }
  }

  /**
   * Devices that a container has.
   *
   * @param devices by id, as they were listed when they were given
   */
  public record Assignment(SortedMap<String, PluginDevice> devices, DeviceGrant grant) {
    public Assignment {
      devices = Collections.unmodifiableSortedMap(new TreeMap<>(devices));
    }

    public Set<String> ids() {
      return devices.keySet();
    }
  }

  public DeviceAssignments {
    all = Collections.unmodifiableSortedMap(new TreeMap<>(all));
  }

  public DeviceAssignments with(Holder holder, Assignment assignment) {
    SortedMap<Holder, Assignment> changed = new TreeMap<>(all);
    changed.put(holder, assignment);
    return new DeviceAssignments(changed);
  }

  /** The same without all that a pod has. */
  public DeviceAssignments without(String podUid) {
    SortedMap<Holder, Assignment> changed = new TreeMap<>(all);
    return changed.keySet().removeIf(holder -> holder.podUid.equals(podUid))
        ? new DeviceAssignments(changed)
        : this;
  }

  /** The same with nothing but what these pods have. */
  public DeviceAssignments of(Collection<String> podUids) {
    SortedMap<Holder, Assignment> changed = new TreeMap<>(all);
    return changed.keySet().removeIf(holder -> !podUids.contains(holder.podUid))
        ? new DeviceAssignments(changed)
        : this;
  }

  public boolean hasPod(String podUid) {
    return all.keySet().stream().anyMatch(holder -> holder.podUid.equals(podUid));
  }

  public Optional<Assignment> find(String podUid, String container, String resource) {
    return Optional.ofNullable(all.get(new Holder(podUid, container, resource)));
  }

  /** What a container has, by resource. */
  public SortedMap<String, Assignment> of(String podUid, String container) {
    SortedMap<String, Assignment> found = new TreeMap<>();
    all.forEach((holder, assignment) -> {
      if (holder.podUid.equals(podUid) && holder.container.equals(container)) {
        found.put(holder.resource, assignment);
      }
    });
    return found;
  }

  /** The devices that containers have, by resource. */
  public SortedMap<String, SortedSet<String>> inUse() {
    SortedMap<String, SortedSet<String>> used = new TreeMap<>();
    all.forEach((holder, assignment) ->
        used.computeIfAbsent(holder.resource, _ -> new TreeSet<>()).addAll(assignment.ids()));
    return used;
  }

  /** The pods that have one of these devices of a resource. */
  public SortedSet<String> pods(String resource, Set<String> devices) {
    SortedSet<String> pods = new TreeSet<>();
    all.forEach((holder, assignment) -> {
      if (holder.resource.equals(resource)
          && assignment.ids().stream().anyMatch(devices::contains)) {
        pods.add(holder.podUid);
      }
    });
    return pods;
  }

  /** All that a container is given to use its devices. */
  public DeviceGrant grant(String podUid, String container) {
    List<DeviceGrant> grants =
        of(podUid, container).values().stream().map(Assignment::grant).toList();
    return DeviceGrant.all(grants);
  }

  /** How a container's devices are, by resource and id. */
  public SortedMap<String, SortedMap<String, Boolean>> health(
      String podUid, String container, Map<String, DeviceResource> resources) {
    SortedMap<String, SortedMap<String, Boolean>> health = new TreeMap<>();
    of(podUid, container)
        .forEach((resource, assignment) -> {
          DeviceResource known = resources.get(resource);
          SortedMap<String, Boolean> each = new TreeMap<>();
          assignment.ids().forEach(id -> each.put(id, known == null || known.works(id)));
          health.put(resource, each);
        });
    return health;
  }
}
