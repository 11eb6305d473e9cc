package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.DeviceView.CounterSet;
import dev.berth.model.device.PoolId;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left of the counters of pools: of what a pool has, devices that are allocated have taken
 * their part, and so have those that a search has chosen so far.
 */
final class CounterLedger {
  private final AllocatedDevices allocated;

  /** By pool, set and counter. */
  private final Map<PoolId, Map<String, Map<String, Quantity>>> left = new HashMap<>();

  CounterLedger(AllocatedDevices allocated) {
    this.allocated = allocated;
  }

  /** Takes what a device needs, if that is left. */
  boolean take(DevicePool pool, DeviceView device) {
    Map<String, Map<String, Quantity>> sets = left.computeIfAbsent(pool.id(), _ -> open(pool));
    for (CounterSet needed : device.consumes()) {
      Map<String, Quantity> set = sets.getOrDefault(needed.name(), Map.of());
      for (Map.Entry<String, Quantity> counter : needed.counters().entrySet()) {
        Quantity there = set.getOrDefault(counter.getKey(), Quantity.ZERO);
        if (there.compareTo(counter.getValue()) < 0) {
          return false;
        }
      }
    }
    change(sets, device, false);
    return true;
  }

  /** Gives back what a device took. */
  void giveBack(DevicePool pool, DeviceView device) {
    change(left.computeIfAbsent(pool.id(), _ -> open(pool)), device, true);
  }

  private static void change(
      Map<String, Map<String, Quantity>> sets, DeviceView device, boolean back) {
    for (CounterSet taken : device.consumes()) {
      Map<String, Quantity> set = sets.get(taken.name());
      if (set != null) {
        taken
            .counters()
            .forEach((name, amount) ->
                set.computeIfPresent(
                    name, (_, there) -> back ? there.plus(amount) : there.minus(amount)));
      }
    }
  }

  /** What is left of a pool before anything is chosen. */
  private Map<String, Map<String, Quantity>> open(DevicePool pool) {
    Map<String, Map<String, Quantity>> sets = new HashMap<>();
    pool.counters().forEach((name, counters) -> sets.put(name, new HashMap<>(counters)));
    pool.devices().forEach(device -> charge(sets, device.device(), device.id()));
    for (ResourceSliceView slice : pool.elsewhere()) {
      slice.devices().forEach(device -> charge(sets, device, slice.id(device)));
    }
    return sets;
  }

  private void charge(Map<String, Map<String, Quantity>> sets, DeviceView device, DeviceId id) {
    if (!device.consumes().isEmpty() && allocated.isUsed(id)) {
      change(sets, device, false);
    }
  }
}
