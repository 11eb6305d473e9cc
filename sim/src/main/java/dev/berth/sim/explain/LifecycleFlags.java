package dev.berth.sim.explain;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.config.ConfigException;
import dev.berth.model.quantity.GoDuration;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How a cluster's nodes are watched, by the flags of kube-controller-manager that were seen. */
public final class LifecycleFlags {
  /** The flags that are read, without their dashes. */
  public static final List<String> NAMES =
      List.of(
          "node-monitor-period",
          "node-monitor-grace-period",
          "node-startup-grace-period",
          "node-eviction-rate",
          "secondary-node-eviction-rate",
          "unhealthy-zone-threshold",
          "large-cluster-size-threshold");

  private final Map<String, String> flags;

  private LifecycleFlags(Map<String, String> flags) {
    this.flags = flags;
  }

  /**
   * Reads flags without their dashes; those that are absent have their defaults.
   *
   * @throws ConfigException if one makes no sense
   */
  public static NodeLifecycleSettings read(Map<String, String> flags) {
    LifecycleFlags own = new LifecycleFlags(flags);
    NodeLifecycleSettings usual = NodeLifecycleSettings.DEFAULT;
    HealthSettings health = usual.health();
    ZoneSettings zones = usual.zones();
    return new NodeLifecycleSettings(
        own.duration("node-monitor-period", usual.monitorPeriod()),
        new HealthSettings(
            own.duration("node-monitor-grace-period", health.gracePeriod()),
            own.duration("node-startup-grace-period", health.startupGracePeriod()),
            health.podEvictionTimeout(),
            health.taintBasedEvictions(),
            health.taintNodesByCondition()),
        new ZoneSettings(
            own.number("node-eviction-rate", zones.nodesPerSecond()),
            own.number("secondary-node-eviction-rate", zones.secondaryNodesPerSecond()),
            own.number("unhealthy-zone-threshold", zones.unhealthyThreshold()),
            (int) own.number("large-cluster-size-threshold", zones.largeZone())));
  }

  private Duration duration(String flag, Duration usual) {
    String text = flags.get(flag);
    Duration read = text == null ? usual : GoDuration.parse(text);
    if (read == null) {
      throw new ConfigException(
          "%s must be a duration, such as 40s, not \"%s\"".formatted(flag, text));
    }
    return read;
  }

  private double number(String flag, double usual) {
    String text = flags.get(flag);
    try {
      return text == null ? usual : Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw new ConfigException("%s must be a number, not \"%s\"".formatted(flag, text));
    }
  }
}
