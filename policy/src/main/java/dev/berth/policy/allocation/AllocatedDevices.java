package dev.berth.policy.allocation;

import dev.berth.model.device.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What claims have already. */
public interface AllocatedDevices {
  /** Whether a claim has a device for itself. */
  boolean isAllocated(DeviceId device);

  /** What claims have of the capacity of a device that they share; null if none has it. */
  @Nullable Map<String, Quantity> consumed(DeviceId device);

  /** Whether any claim has a device, for itself or shared. */
  default boolean isUsed(DeviceId device) {
    return isAllocated(device) || consumed(device) != null;
  }
}
