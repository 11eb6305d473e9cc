package dev.berth.controllers.nodelifecycle;

import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import java.time.Duration;

/**
 * How nodes are watched.
 *
 * @param monitorPeriod how often every node's health is looked at ({@code --node-monitor-period})
 */
public record NodeLifecycleSettings(
    Duration monitorPeriod, HealthSettings health, ZoneSettings zones) {
  public static final NodeLifecycleSettings DEFAULT =
      new NodeLifecycleSettings(
          Duration.ofSeconds(5), HealthSettings.DEFAULT, ZoneSettings.DEFAULT);
}
