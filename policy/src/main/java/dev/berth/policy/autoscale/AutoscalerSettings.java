package dev.berth.policy.autoscale;

import java.time.Duration;

/**
 * What counts for all autoscalers.
 *
 * @param downscaleStabilization for how long a recommendation holds up replicas, unless an
 *     autoscaler says otherwise
 * @param tolerance which deviation of a metric is ignored, as a share of 1
 * @param cpuInitializationPeriod for how long after its start what a pod uses of the processor may
 *     be of no meaning
 * @param initialReadinessDelay a pod that became unready this soon after its start was never ready
 */
public record AutoscalerSettings(
    Duration downscaleStabilization,
    double tolerance,
    Duration cpuInitializationPeriod,
    Duration initialReadinessDelay) {
  public static final AutoscalerSettings DEFAULT =
      new AutoscalerSettings(
          Duration.ofMinutes(5), 0.1, Duration.ofMinutes(5), Duration.ofSeconds(30));
}
