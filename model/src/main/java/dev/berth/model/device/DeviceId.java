package dev.berth.model.device;

import dev.berth.model.tree.JsonObject;

/** Which device it is; no two of a cluster have the same driver, pool and name. */
public record DeviceId(String driver, String pool, String device) {

  /** The device of an allocation's result, or of what a driver says about one. */
  public static DeviceId read(JsonObject tree) {
    return new DeviceId(tree.text("driver", ""), tree.text("pool", ""), tree.text("device", ""));
  }

  @Override
  public String toString() {
    return driver + "/" + pool + "/" + device;
  }
}
