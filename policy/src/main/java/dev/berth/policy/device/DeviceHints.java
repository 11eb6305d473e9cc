package dev.berth.policy.device;

import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.TopologyHint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** From which NUMA nodes the devices of a resource can be had. */
public final class DeviceHints {
  private final Collection<PluginDevice> devices;
  private final List<Integer> machine;

  /**
   * @param resource whose devices
   * @param machine the NUMA nodes that there are
   */
  public DeviceHints(DeviceResource resource, List<Integer> machine) {
    this.devices = resource.listed().values();
    this.machine = List.copyOf(machine);
  }

  /**
   * The hints; empty if no device says where it is.
   *
   * @param has what the container, or the pod, was given before; empty if nothing
   * @param free what nobody has
   * @param reusable what init containers pass on
   */
  public Optional<List<TopologyHint>> of(
      long count, Set<String> has, Set<String> free, Set<String> reusable) {
    if (devices.stream().allMatch(device -> device.numaNodes().isEmpty())) {
      return Optional.empty();
    }
    if (!has.isEmpty()) {
      return Optional.of(has.size() == count ? possible(count, has, Set.of()) : List.of());
    }
    Set<String> all = new TreeSet<>(free);
    all.addAll(reusable);
    return Optional.of(all.size() < count ? List.of() : possible(count, free, reusable));
  }

  private List<TopologyHint> possible(long count, Set<String> available, Set<String> reusable) {
    List<Integer> nodes = nodesWithDevices();
    int[] fewest = {nodes.size()};
    List<NumaMask> possible = new ArrayList<>();
    NumaMask.forEachSubset(
        nodes,
        mask -> {
          if (devices.stream().filter(device -> isNear(device, mask)).count() >= count) {
            fewest[0] = Math.min(fewest[0], mask.count());
          }
          long near = 0;
          for (PluginDevice device : devices) {
            if (reusable.contains(device.id()) && !device.numaNodes().isEmpty()) {
              if (!isNear(device, mask)) {
                return;
              }
              near++;
            }
            if (available.contains(device.id()) && isNear(device, mask)) {
              near++;
            }
          }
          if (near >= count) {
            possible.add(mask);
          }
        });
    return TopologyHint.all(possible, mask -> mask.count() == fewest[0]);
  }

  /** Of nodes without devices nothing can be had; those that the machine does not have are lies. */
  private List<Integer> nodesWithDevices() {
    SortedSet<Integer> nodes = new TreeSet<>();
    for (PluginDevice device : devices) {
      for (long node : device.numaNodes()) {
        if (isNode(node) && machine.contains((int) node)) {
          nodes.add((int) node);
        }
      }
    }
    return nodes.isEmpty() ? machine : List.copyOf(nodes);
  }

  static boolean isNear(PluginDevice device, NumaMask mask) {
    return device.numaNodes().stream().anyMatch(node -> isNode(node) && mask.has(node.intValue()));
  }

  private static boolean isNode(long number) {
    return number >= 0 && number < NumaMask.MOST_NODES;
  }
}
