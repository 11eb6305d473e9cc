package dev.berth.policy.device;

import dev.berth.policy.topology.NumaMask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Which devices of a resource a container gets, in a kubelet's order and with its messages:
 *
 * <ol>
 *   <li>A container that has devices keeps them, as long as they are healthy.
 *   <li>Devices of init containers that have ended by then are given first.
 *   <li>The rest is taken from those that are healthy and that nobody has: if there are NUMA nodes
 *       to take them from, those near these first, and those last that do not say where they are.
 *       If a plugin has a say, what it prefers of them goes first, unless all devices near the
 *       nodes are needed anyway; what it prefers beside them does not count.
 * </ol>
 *
 * Where a kubelet takes any, the first by id are taken.
 */
public sealed interface DeviceChoice {

  /** It needs no more than it has. */
  record Nothing() implements DeviceChoice {}

  /** It gets these, once the plugin agrees. */
  record Chosen(SortedSet<String> devices) implements DeviceChoice {}

  /**
   * The plugin is to be asked, which has a say.
   *
   * @param reused devices that the container gets anyway
   * @param available all that it may get, those included
   * @param last those of them that it gets only if others do not suffice
   */
  record Ask(
      SortedSet<String> reused, SortedSet<String> available, SortedSet<String> last, int size)
      implements DeviceChoice {

    /** What the container gets when the plugin has answered. */
    public Chosen chosen(List<String> preferred) {
      SortedSet<String> chosen = new TreeSet<>(reused);
      preferred.stream()
          .filter(id -> available.contains(id))
          .forEach(id -> addTo(chosen, id, size));
      available.stream().filter(id -> !last.contains(id)).forEach(id -> addTo(chosen, id, size));
      last.forEach(id -> addTo(chosen, id, size));
      return new Chosen(chosen);
    }
  }

  /** It cannot have what it asks for. */
  record Refused(String message) implements DeviceChoice {}

  /**
   * What to choose from.
   *
   * @param pod its uid
   * @param size how many devices the container asks for
   * @param has those that it was given before; empty if none ever was
   * @param reusable those of init containers of its pod
   * @param inUse those that containers have, of this pod and of others
   * @param affinity the NUMA nodes that they are to be from; empty if that does not matter
   * @param hasPreference whether the plugin wants to be asked
   */
  record Request(
      String pod,
      String container,
      String resource,
      long size,
      Optional<Set<String>> has,
      Set<String> reusable,
      Set<String> inUse,
      Optional<NumaMask> affinity,
      boolean hasPreference) {}

  /**
   * Chooses.
   *
   * @param resource what is known of the plugin's devices; empty if none of that name is registered
   */
  static DeviceChoice of(Request request, Optional<DeviceResource> resource) {
    Set<String> has = request.has().orElse(Set.of());
    if (request.has().isPresent() && has.size() != request.size()) {
      return new Refused(
          "pod \"%s\" container \"%s\" changed request for resource \"%s\" from %d to %d"
              .formatted(
                  request.pod(),
                  request.container(),
                  request.resource(),
                  has.size(),
                  request.size()));
    }
    if (resource.isEmpty()) {
      return new Refused("cannot allocate unregistered device " + request.resource());
    }
    SortedSet<String> healthy = resource.get().healthy();
    if (healthy.isEmpty()) {
      return new Refused(
          "no healthy devices present; cannot allocate unhealthy devices " + request.resource());
    }
    if (!healthy.containsAll(has)) {
      return new Refused(
          "previously allocated devices are no longer healthy; cannot allocate unhealthy devices "
              + request.resource());
    }
    return request.size() == has.size() ? new Nothing() : choose(request, resource.get());
  }

  private static DeviceChoice choose(Request request, DeviceResource resource) {
    SortedSet<String> reused = new TreeSet<>();
    new TreeSet<>(request.reusable()).forEach(id -> addTo(reused, id, request.size()));
    if (reused.size() == request.size()) {
      return new Chosen(reused);
    }
    SortedSet<String> free = new TreeSet<>(resource.healthy());
    free.removeAll(request.inUse());
    free.removeAll(reused);
    long needed = request.size() - reused.size();
    if (free.size() < needed) {
      return new Refused(
          "requested number of devices unavailable for %s. Requested: %d, Available: %d"
              .formatted(request.resource(), needed, free.size()));
    }
    Map<String, PluginDevice> devices = resource.listed();
    boolean saysWhere = devices.values().stream().anyMatch(each -> !each.numaNodes().isEmpty());
    SortedSet<String> near =
        those(
            free,
            devices,
            each ->
                saysWhere
                    && request
                        .affinity()
                        .filter(mask -> DeviceHints.isNear(each, mask))
                        .isPresent());
    Ask ask;
    if (needed < near.size()) {
      near.addAll(reused);
      ask = new Ask(reused, near, new TreeSet<>(), (int) request.size());
    } else {
      SortedSet<String> last = those(free, devices, each -> each.numaNodes().isEmpty());
      reused.addAll(near);
      free.addAll(reused);
      ask = new Ask(reused, free, last, (int) request.size());
    }
    boolean isOpen = request.hasPreference() && reused.size() < request.size();
    return isOpen ? ask : ask.chosen(List.of());
  }

  private static SortedSet<String> those(
      Set<String> ids, Map<String, PluginDevice> devices, Predicate<PluginDevice> which) {
    SortedSet<String> those = new TreeSet<>(ids);
    those.removeIf(id -> {
      PluginDevice device = devices.get(id);
      return device == null || !which.test(device);
    });
    return those;
  }

  private static void addTo(SortedSet<String> chosen, String id, long size) {
    if (chosen.size() < size) {
      chosen.add(id);
    }
  }
}
