package dev.berth.controllers.cloud;

import java.time.Duration;

/**
 * The cloud that has the machines of a cluster's nodes.
 *
 * @param monitorPeriod how often it is asked what became of nodes that are not ready
 * @param statusPeriod how often it is asked for the addresses of a node
 * @param atOnce how many nodes it is asked about at the same time
 */
public record CloudSettings(
    CloudProvider provider, Duration monitorPeriod, Duration statusPeriod, int atOnce) {
  public static final Duration MONITOR_PERIOD = Duration.ofSeconds(5);
  public static final Duration STATUS_PERIOD = Duration.ofMinutes(5);
  public static final int AT_ONCE = 1;

  /** As often as upstream asks. */
  public static CloudSettings of(CloudProvider provider) {
    return new CloudSettings(provider, MONITOR_PERIOD, STATUS_PERIOD, AT_ONCE);
  }
}
