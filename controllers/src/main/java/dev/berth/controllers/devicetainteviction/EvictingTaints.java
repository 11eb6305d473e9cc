package dev.berth.controllers.devicetainteviction;

import dev.berth.model.device.DeviceId;
import dev.berth.model.device.DeviceTaint;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.PoolId;
import dev.berth.model.device.ResourceSliceView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The NoExecute taints of devices. Of a pool, the newest generation counts. Devices without such
 * taints, which are nearly all, are not kept.
 */
final class EvictingTaints {
  private final Map<PoolId, Map<String, Slice>> pools = new HashMap<>();
  private final Map<String, PoolId> poolBySlice = new HashMap<>();

  /** What of a slice matters. */
  private record Slice(long generation, Map<String, List<DeviceTaint>> taints) {}

  /** The devices that a slice may have changed something about. */
  Set<DeviceId> put(ResourceSliceView slice) {
    Set<DeviceId> changed = remove(slice.name());
    Map<String, List<DeviceTaint>> taints = new HashMap<>();
    for (DeviceView device : slice.devices()) {
      List<DeviceTaint> evicting = device.taints().stream().filter(DeviceTaint::evicts).toList();
      if (!evicting.isEmpty()) {
        taints.put(device.name(), evicting);
        changed.add(slice.id(device));
      }
    }
    pools
        .computeIfAbsent(slice.pool(), _ -> new TreeMap<>())
        .put(slice.name(), new Slice(slice.generation(), taints));
    poolBySlice.put(slice.name(), slice.pool());
    return changed;
  }

  Set<DeviceId> remove(String name) {
    Set<DeviceId> changed = new HashSet<>();
    PoolId pool = poolBySlice.remove(name);
    Map<String, Slice> slices = pool == null ? null : pools.get(pool);
    Slice known = slices == null ? null : slices.remove(name);
    if (pool != null && slices != null && known != null) {
      known
          .taints()
          .keySet()
          .forEach(device -> changed.add(new DeviceId(pool.driver(), pool.pool(), device)));
      if (slices.isEmpty()) {
        pools.remove(pool);
      }
    }
    return changed;
  }

  List<DeviceTaint> of(DeviceId device) {
    Map<String, Slice> slices =
        pools.getOrDefault(new PoolId(device.driver(), device.pool()), Map.of());
    long newest = slices.values().stream().mapToLong(Slice::generation).max().orElse(0);
    return slices.values().stream()
        .filter(slice -> slice.generation() == newest)
        .flatMap(slice -> slice.taints().getOrDefault(device.device(), List.of()).stream())
        .toList();
  }
}
