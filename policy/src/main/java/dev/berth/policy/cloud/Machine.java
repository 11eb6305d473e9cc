package dev.berth.policy.cloud;

import dev.berth.model.core.NodeAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine, as its cloud knows it. What is empty is not known.
 *
 * @param providerId what the cloud calls it, such as {@code file://worker-1}
 * @param labels further ones of its node
 * @param isStopped whether it is switched off; it still exists
 */
public record Machine(
    String providerId,
    String instanceType,
    String zone,
    String region,
    List<NodeAddress> addresses,
    Map<String, String> labels,
    boolean isStopped) {
  public Machine {
    addresses = List.copyOf(addresses);
    labels = new TreeMap<>(labels);
  }
}
