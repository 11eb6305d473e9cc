package dev.berth.agent.runtime;

import java.time.Instant;
import java.util.List;

/**
 * A pod as its runtime knows it.
 *
 * @param addresses its own, the first of them the one it is known by; none with the host's network
 * @param isReady false if it was stopped, or if what its containers share is gone, as after a
 *     restart of the machine
 * @param containers all of them that were not removed, in the order in which they were started
 */
public record PodSandbox(
    PodId pod,
    Instant created,
    boolean isReady,
    List<String> addresses,
    List<ContainerStatus> containers) {
  public PodSandbox {
    addresses = List.copyOf(addresses);
    containers = List.copyOf(containers);
  }
}
