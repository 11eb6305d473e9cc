package dev.berth.controllers.podautoscaler;

import dev.berth.policy.autoscale.AutoscalerSettings;
import java.time.Duration;

/**
 * How autoscalers work.
 *
 * @param syncPeriod how often each is looked after
 * @param concurrentSyncs how many are looked after at once
 * @param rules what counts for all of them
 */
public record HorizontalPodAutoscalerSettings(
    Duration syncPeriod, int concurrentSyncs, AutoscalerSettings rules) {
  public static final HorizontalPodAutoscalerSettings DEFAULT =
      new HorizontalPodAutoscalerSettings(Duration.ofSeconds(15), 5, AutoscalerSettings.DEFAULT);
}
