package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.DeviceView.CounterSet;
import dev.berth.model.device.PoolId;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A pool of devices as one node sees it.
 *
 * @param state whether its devices can be had
 * @param devices those that the node may reach, in the order in which they are tried
 * @param elsewhere slices of the pool that the node does not reach; their devices may take counters
 * @param counters by set and name: what there is to share
 */
record DevicePool(
    PoolId id,
    State state,
    List<PoolDevice> devices,
    List<ResourceSliceView> elsewhere,
    Map<String, Map<String, Quantity>> counters) {

  enum State {
    USABLE,
    /** Its driver is about to publish the rest of its slices. */
    INCOMPLETE,
    /** Its slices contradict each other. */
    INVALID
  }

  /** A device, and where it is from. */
  record PoolDevice(ResourceSliceView slice, DeviceView device, DeviceId id) {}

  static DevicePool unusable(PoolId id, State state) {
    return new DevicePool(id, state, List.of(), List.of(), Map.of());
  }

  /**
   * A pool of which all slices are known.
   *
   * @param reached the slices that the node reaches, and those with counters
   */
  static DevicePool of(
      PoolId id, List<ResourceSliceView> reached, List<ResourceSliceView> elsewhere) {
    List<ResourceSliceView> slices = new ArrayList<>(reached);
    slices.sort(Comparator.comparing(ResourceSliceView::name));
    List<PoolDevice> devices = new ArrayList<>();
    Map<String, Map<String, Quantity>> counters = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (ResourceSliceView slice : slices) {
      for (CounterSet set : slice.counters()) {
        if (counters.put(set.name(), set.counters()) != null) {
          return unusable(id, State.INVALID);
        }
      }
      if (!slice.counters().isEmpty()) {
        continue;
      }
      for (DeviceView device : slice.devices()) {
        if (!names.add(device.name())) {
          return unusable(id, State.INVALID);
        }
        devices.add(new PoolDevice(slice, device, slice.id(device)));
      }
    }
    boolean consistent =
        slices.stream().allMatch(slice -> countersExist(slice, counters))
            && elsewhere.stream().allMatch(slice -> countersExist(slice, counters));
    return consistent
        ? new DevicePool(id, State.USABLE, devices, elsewhere, counters)
        : unusable(id, State.INVALID);
  }

  private static boolean countersExist(
      ResourceSliceView slice, Map<String, Map<String, Quantity>> counters) {
    for (DeviceView device : slice.devices()) {
      for (CounterSet taken : device.consumes()) {
        Map<String, Quantity> set = counters.get(taken.name());
        if (set == null || !set.keySet().containsAll(taken.counters().keySet())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether one of its devices has to be prepared before a pod can be bound. */
  boolean hasBindingConditions() {
    return devices.stream().anyMatch(device -> !device.device().bindingConditions().isEmpty());
  }
}
