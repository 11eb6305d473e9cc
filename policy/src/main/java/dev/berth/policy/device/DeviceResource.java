package dev.berth.policy.device;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of the devices of one plugin.
 *
 * @param listed what the plugin listed last, by id; kept when it goes, for the health of devices
 *     that containers have
 * @param healthy those that may be given to containers
 * @param unhealthy those that count as the node's all the same
 * @param stopped since when the plugin is gone, on the monotonic clock; empty while it is there
 */
public record DeviceResource(
    SortedMap<String, PluginDevice> listed,
    SortedSet<String> healthy,
    SortedSet<String> unhealthy,
    Optional<Instant> stopped) {

  public DeviceResource {
    listed = Collections.unmodifiableSortedMap(new TreeMap<>(listed));
    healthy = Collections.unmodifiableSortedSet(new TreeSet<>(healthy));
    unhealthy = Collections.unmodifiableSortedSet(new TreeSet<>(unhealthy));
  }

  /** One whose plugin has just registered, and has listed nothing yet. */
  public static DeviceResource registered() {
    return new DeviceResource(new TreeMap<>(), new TreeSet<>(), new TreeSet<>(), Optional.empty());
  }

  /**
   * One that is remembered from before the agent's start: it has no devices until its plugin is
   * back.
   */
  public static DeviceResource remembered(Instant now) {
    return registered().stopped(now);
  }

  /** Its plugin is there, again or anew; its devices are as they were until it lists them. */
  public DeviceResource connected() {
    return new DeviceResource(listed, healthy, unhealthy, Optional.empty());
  }

  /** Its plugin lists its devices, all of them. Of two with one id, the last counts. */
  public DeviceResource list(List<PluginDevice> devices) {
    SortedMap<String, PluginDevice> all = new TreeMap<>();
    devices.forEach(device -> all.put(device.id(), device));
    SortedSet<String> good = new TreeSet<>();
    SortedSet<String> bad = new TreeSet<>();
    all.forEach((id, device) -> (device.isHealthy() ? good : bad).add(id));
    return new DeviceResource(all, good, bad, stopped);
  }

  /** Its plugin is gone: no device is given away any more. */
  public DeviceResource stopped(Instant now) {
    SortedSet<String> all = new TreeSet<>(unhealthy);
    all.addAll(healthy);
    return new DeviceResource(listed, new TreeSet<>(), all, Optional.of(now));
  }

  /** Whether a device of a container works, as far as is known. */
  public boolean works(String id) {
    PluginDevice device = listed.get(id);
    return device == null || device.isHealthy();
  }
}
