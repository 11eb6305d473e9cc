package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A part of a pool of devices.
 *
 * @param generation of its pool; only the slices of the newest count
 * @param sliceCount how many slices the pool has in this generation
 * @param place of all its devices
 * @param perDevice whether each device has a place of its own instead
 * @param counters what devices of the pool share; a slice has these or devices
 */
public record ResourceSliceView(
    String name,
    PoolId pool,
    long generation,
    long sliceCount,
    NodePlace place,
    boolean perDevice,
    List<DeviceView> devices,
    List<DeviceView.CounterSet> counters) {

  public static ResourceSliceView read(JsonObject slice) {
    JsonObject spec = slice.object("spec");
    JsonObject pool = spec.object("pool");
    return new ResourceSliceView(
        Metadata.of(slice).name(),
        new PoolId(spec.text("driver", ""), pool.text("name", "")),
        pool.integer("generation").orElse(0),
        pool.integer("resourceSliceCount").orElse(0),
        NodePlace.read(spec),
        spec.flag("perDeviceNodeSelection", false),
        Views.list(spec.array("devices"), DeviceView::read),
        Views.list(spec.array("sharedCounters"), set -> DeviceView.CounterSet.read(set, "name")));
  }

  public DeviceId id(DeviceView device) {
    return new DeviceId(pool.driver(), pool.pool(), device.name());
  }

  /** The place of one of its devices. */
  public NodePlace placeOf(DeviceView device) {
    return perDevice ? device.place() : place;
  }
}
