package dev.berth.model.device;

import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mark on a device that keeps claims away which do not tolerate it.
 *
 * @param effect {@code NoSchedule}, {@code NoExecute}, {@code None}, or what a later version has
 */
public record DeviceTaint(String key, String value, String effect, @Nullable Instant timeAdded) {

  public static DeviceTaint read(JsonObject taint) {
    return new DeviceTaint(
        taint.text("key", ""),
        taint.text("value", ""),
        taint.text("effect", ""),
        WireTime.read(taint, "timeAdded"));
  }

  /** Whether it keeps pods that do not tolerate it from running at all. */
  public boolean evicts() {
    return effect.equals("NoExecute");
  }

  /** Whether the device is not to be allocated to who does not tolerate it. */
  public boolean preventsAllocation() {
    return evicts() || effect.equals("NoSchedule");
  }
}
