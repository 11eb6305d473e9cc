package dev.berth.controllers.podgc;

import java.time.Duration;

/**
 * When pods are collected.
 *
 * @param period how often to sweep ({@code 20s} upstream)
 * @param mostFinished so many finished pods may stay ({@code --terminated-pod-gc-threshold}); none
 *     is collected for being finished if this is zero or less
 * @param quarantine how long a node must have been gone before its pods are orphans
 * @param outOfService whether pods go by force from nodes that are out of service (the gate {@code
 *     NodeOutOfServiceVolumeDetach})
 */
public record PodGarbageCollectorSettings(
    Duration period, int mostFinished, Duration quarantine, boolean outOfService) {
  public static final PodGarbageCollectorSettings DEFAULT =
      new PodGarbageCollectorSettings(Duration.ofSeconds(20), 12_500, Duration.ofSeconds(40), true);
}
