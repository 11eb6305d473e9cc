package dev.berth.sim.cloud;

import dev.berth.controllers.cloud.CloudProvider;
import dev.berth.model.core.NodeAddress;
import dev.berth.policy.cloud.CloudAnswer;
import dev.berth.policy.cloud.Machine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A cloud whose machines a test makes, stops and removes, and that may be out of reach. */
final class SimulatedCloud implements CloudProvider {
  /** By name; a machine's id is {@code sim://} and its name. */
  final Map<String, Machine> machines = new TreeMap<>();

  boolean isOutOfReach;
  int questions;

  void has(String name, boolean isStopped, String address) {
    machines.put(
        name,
        new Machine(
            "sim://" + name,
            "large",
            "a",
            "north",
            List.of(new NodeAddress("InternalIP", address)),
            Map.of("example.com/rack", "r7"),
            isStopped));
  }

  void has(String name) {
    has(name, false, "192.0.2.1");
  }

  @Override
  public CloudAnswer find(String node, String providerId) {
    questions++;
    if (isOutOfReach) {
      return new CloudAnswer.Failed("no connection");
    }
    Machine machine =
        machines.get(providerId.isEmpty() ? node : providerId.substring("sim://".length()));
    return machine == null ? new CloudAnswer.NotFound() : new CloudAnswer.Found(machine);
  }
}
