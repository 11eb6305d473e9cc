package dev.berth.scheduler.cluster.device;

import dev.berth.model.device.CapacityView;
import dev.berth.model.device.DeviceId;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.allocation.AllocatedDevices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which devices claims have: counted as claims come and go, so that nobody has to list them. */
final class DeviceUse implements AllocatedDevices {
  private final Map<DeviceId, Integer> whole = new HashMap<>();
  private final Map<DeviceId, Shares> shared = new HashMap<>();

  /** The uses of a device that is shared, and what they have of its capacity. */
  private static final class Shares {
    private final Map<String, Quantity> consumed = new HashMap<>();
    private int count;
  }

  @Override
  public boolean isAllocated(DeviceId device) {
    return whole.containsKey(device);
  }

  @Override
  public @Nullable Map<String, Quantity> consumed(DeviceId device) {
    Shares shares = shared.get(device);
    return shares == null ? null : shares.consumed;
  }

  /** Counts the results of an allocation. Who has admin access keeps nobody else away. */
  void add(List<JsonObject> results) {
    for (JsonObject result : results) {
      if (result.flag("adminAccess", false)) {
        continue;
      }
      DeviceId device = DeviceId.read(result);
      if (!result.has("shareID")) {
        whole.merge(device, 1, Integer::sum);
        continue;
      }
      Shares shares = shared.computeIfAbsent(device, _ -> new Shares());
      shares.count++;
      JsonObject consumed = result.object("consumedCapacity");
      for (String name : consumed.names()) {
        shares.consumed.merge(name, CapacityView.quantity(consumed, name), Quantity::plus);
      }
    }
  }

  void remove(List<JsonObject> results) {
    for (JsonObject result : results) {
      if (result.flag("adminAccess", false)) {
        continue;
      }
      DeviceId device = DeviceId.read(result);
      if (!result.has("shareID")) {
        whole.computeIfPresent(device, (_, count) -> count == 1 ? null : count - 1);
        continue;
      }
      Shares shares = shared.get(device);
      if (shares == null) {
        continue;
      }
      shares.count--;
      JsonObject consumed = result.object("consumedCapacity");
      for (String name : consumed.names()) {
        Quantity amount = CapacityView.quantity(consumed, name);
        shares.consumed.computeIfPresent(name, (_, sum) -> sum.minus(amount));
      }
      if (shares.count == 0) {
        shared.remove(device);
      }
    }
  }
}
