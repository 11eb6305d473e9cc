package dev.berth.agent.device;

import dev.berth.policy.device.DeviceAssignments;
import dev.berth.policy.device.DeviceAssignments.Assignment;
import dev.berth.policy.device.DeviceAssignments.Holder;
import dev.berth.policy.device.DeviceCapacity;
import dev.berth.policy.device.DeviceGrant;
import dev.berth.policy.device.DeviceResource;
import dev.berth.policy.device.PluginDevice;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What plugins have, and who has it. Written by the loop of the devices, read by any thread as a
 * {@link View}.
 */
final class DeviceState {

  /** All of it at one moment. */
  record View(
      SortedMap<String, DeviceResource> resources,
      SortedSet<String> forgotten,
      DeviceAssignments assignments) {

    boolean isEmpty() {
      return resources.isEmpty() && assignments.all().isEmpty();
    }

    /** Whether a plugin has registered a resource, or a container has some of it. */
    boolean isDevice(String resource) {
      return resources.containsKey(resource)
          || assignments.all().keySet().stream().anyMatch(h -> h.resource().equals(resource));
    }

    DeviceCapacity capacity(Instant now) {
      return DeviceCapacity.of(resources, forgotten, now);
    }
  }

  private final SortedMap<String, DeviceResource> resources = new TreeMap<>();
  private final SortedSet<String> forgotten = new TreeSet<>();

  /** Devices that plugins are just asked to make ready for pods, by resource. */
  private final Map<String, Set<String>> reserved = new HashMap<>();

  private DeviceAssignments assignments;
  private volatile View view;

  DeviceState(DeviceCheckpoint checkpoint, Instant now) {
    assignments = checkpoint.assignments();
    checkpoint
        .registered()
        .forEach(resource -> resources.put(resource, DeviceResource.remembered(now)));
    view = snapshot();
  }

  /** For any thread. */
  View view() {
    return view;
  }

  private View snapshot() {
    return new View(
        Collections.unmodifiableSortedMap(new TreeMap<>(resources)),
        Collections.unmodifiableSortedSet(new TreeSet<>(forgotten)),
        assignments);
  }

  private void publish() {
    view = snapshot();
  }

  DeviceCheckpoint checkpoint() {
    return new DeviceCheckpoint(new TreeSet<>(resources.keySet()), assignments);
  }

  DeviceAssignments assignments() {
    return assignments;
  }

  Optional<DeviceResource> resource(String name) {
    return Optional.ofNullable(resources.get(name));
  }

  int size() {
    return resources.size();
  }

  /** A plugin is there, again or anew. */
  void connected(String name) {
    resources.computeIfPresent(name, (_, known) -> known.connected());
    publish();
  }

  /**
   * A plugin lists its devices.
   *
   * @return the pods whose devices are in another state than before
   */
  Set<String> listed(String name, List<PluginDevice> devices) {
    DeviceResource before = resources.getOrDefault(name, DeviceResource.registered());
    DeviceResource after = before.list(devices);
    resources.put(name, after);
    forgotten.remove(name);
    publish();
    Set<String> changed = new HashSet<>();
    for (PluginDevice device : after.listed().values()) {
      PluginDevice known = before.listed().get(device.id());
      if (known == null || known.isHealthy() != device.isHealthy()) {
        changed.add(device.id());
      }
    }
    return changed.isEmpty() ? Set.of() : assignments.pods(name, changed);
  }

  /** A plugin is gone. */
  void stopped(String name, Instant now) {
    resources.computeIfPresent(name, (_, known) -> known.stopped(now));
    publish();
  }

  /** Forgets what has been gone for too long; whether there was any. */
  boolean expire(Instant now) {
    Set<String> expired = snapshot().capacity(now).expired();
    expired.forEach(name -> {
      resources.remove(name);
      forgotten.add(name);
    });
    publish();
    return !expired.isEmpty();
  }

  /** Devices of a resource that cannot be given away. */
  Set<String> inUse(String resource) {
    Set<String> used = new HashSet<>(reserved.getOrDefault(resource, Set.of()));
    used.addAll(assignments.inUse().getOrDefault(resource, Collections.emptySortedSet()));
    return used;
  }

  void reserve(String resource, Set<String> devices) {
    reserved.computeIfAbsent(resource, _ -> new HashSet<>()).addAll(devices);
  }

  void unreserve(String resource, Set<String> devices) {
    reserved.getOrDefault(resource, new HashSet<>()).removeAll(devices);
  }

  void assign(Holder holder, Set<String> devices, DeviceGrant grant) {
    Map<String, PluginDevice> listed =
        resource(holder.resource()).map(DeviceResource::listed).orElse(new TreeMap<>());
    SortedMap<String, PluginDevice> given = new TreeMap<>();
    devices.forEach(
        id -> given.put(id, listed.getOrDefault(id, new PluginDevice(id, true, List.of()))));
    assignments = assignments.with(holder, new Assignment(given, grant));
    publish();
  }

  void release(String podUid) {
    assignments = assignments.without(podUid);
    publish();
  }

  void retain(Collection<String> podUids) {
    assignments = assignments.of(podUids);
    publish();
  }
}
