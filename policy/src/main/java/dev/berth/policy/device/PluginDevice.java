package dev.berth.policy.device;

import java.util.List;

/**
 * A device as its plugin lists it.
 *
 * @param numaNodes the machine's memory nodes that it is near; empty if that is not known
 */
public record PluginDevice(String id, boolean isHealthy, List<Long> numaNodes) {
  public PluginDevice {
    numaNodes = List.copyOf(numaNodes);
  }
}
