package dev.berth.policy.node;

import java.time.Duration;

/**
 * How a node's health is judged.
 *
 * @param gracePeriod how long a node may be silent ({@code --node-monitor-grace-period})
 * @param startupGracePeriod how long a node may be silent before it first posts its status ({@code
 *     --node-startup-grace-period})
 * @param podEvictionTimeout how long a node may not be ready before its pods are evicted, while
 *     problems do not become taints ({@code --pod-eviction-timeout})
 * @param taintBasedEvictions the gate of that name: problems become NoExecute taints
 * @param taintNodesByCondition the gate of that name: problems become NoSchedule taints
 */
public record HealthSettings(
    Duration gracePeriod,
    Duration startupGracePeriod,
    Duration podEvictionTimeout,
    boolean taintBasedEvictions,
    boolean taintNodesByCondition) {
  public static final HealthSettings DEFAULT =
      new HealthSettings(
          Duration.ofSeconds(40), Duration.ofSeconds(60), Duration.ofMinutes(5), true, true);
}
