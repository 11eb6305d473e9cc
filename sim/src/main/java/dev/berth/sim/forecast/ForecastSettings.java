package dev.berth.sim.forecast;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import java.time.Duration;
import java.util.Optional;

/**
 * What a forecast assumes.
 *
 * @param podStart how long a pod takes from being scheduled to being ready
 * @param podStop how long a pod takes to end once it is asked to; empty for all of its grace period
 * @param horizon how far it looks ahead
 */
public record ForecastSettings(
    NodeLifecycleSettings lifecycle,
    SchedulerConfiguration scheduler,
    Duration podStart,
    Optional<Duration> podStop,
    Duration horizon) {
  public static final ForecastSettings DEFAULT =
      new ForecastSettings(
          NodeLifecycleSettings.DEFAULT,
          ConfigurationReader.defaults(),
          Duration.ofSeconds(10),
          Optional.empty(),
          Duration.ofHours(6));
}
