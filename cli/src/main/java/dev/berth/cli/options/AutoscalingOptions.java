package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerSettings;
import dev.berth.policy.autoscale.AutoscalerSettings;
import java.time.Duration;
import java.util.List;

/** How HorizontalPodAutoscalers work, by kube-controller-manager's flags. */
final class AutoscalingOptions {
  private static final String PREFIX = "--horizontal-pod-autoscaler-";
  private static final HorizontalPodAutoscalerSettings DEFAULT =
      HorizontalPodAutoscalerSettings.DEFAULT;
  private static final AutoscalerSettings RULES = AutoscalerSettings.DEFAULT;

  private static final Option SYNC_PERIOD =
      duration(
          "sync-period",
          DEFAULT.syncPeriod(),
          "How often the number of pods of each HorizontalPodAutoscaler is decided");
  private static final Option STABILIZATION =
      duration(
          "downscale-stabilization",
          RULES.downscaleStabilization(),
          "For how long a HorizontalPodAutoscaler does not scale below what it recommended before");
  private static final Option TOLERANCE =
      new Option(
          PREFIX + "tolerance",
          "N",
          "The deviation of a metric from its target, as a fraction of 1, that a"
              + " HorizontalPodAutoscaler ignores (default: %s).".formatted(RULES.tolerance()));
  private static final Option CPU_INITIALIZATION =
      duration(
          "cpu-initialization-period",
          RULES.cpuInitializationPeriod(),
          "For how long after a pod's start its CPU samples might be skipped");
  private static final Option READINESS_DELAY =
      duration(
          "initial-readiness-delay",
          RULES.initialReadinessDelay(),
          "For how long after a pod's start changes of its readiness count as its initial"
              + " readiness");
  private static final Option CONCURRENT =
      new Option(
          "--concurrent-horizontal-pod-autoscaler-syncs",
          "N",
          "How many HorizontalPodAutoscalers are synced at once (default: %d)."
              .formatted(DEFAULT.concurrentSyncs()));

  static final List<Option> OPTIONS =
      List.of(
          SYNC_PERIOD, STABILIZATION, TOLERANCE, CPU_INITIALIZATION, READINESS_DELAY, CONCURRENT);

  private AutoscalingOptions() {}

  private static Option duration(String name, Duration otherwise, String help) {
    return new Option(
        PREFIX + name, "DURATION", help + " (default: %s).".formatted(FlagValues.text(otherwise)));
  }

  static HorizontalPodAutoscalerSettings read(Arguments arguments) {
    return new HorizontalPodAutoscalerSettings(
        FlagValues.duration(arguments, SYNC_PERIOD, DEFAULT.syncPeriod()),
        arguments.number(CONCURRENT.name(), DEFAULT.concurrentSyncs(), 1, Integer.MAX_VALUE),
        new AutoscalerSettings(
            FlagValues.durationOrZero(arguments, STABILIZATION, RULES.downscaleStabilization()),
            FlagValues.decimal(arguments, TOLERANCE, RULES.tolerance(), Double.MAX_VALUE),
            FlagValues.durationOrZero(
                arguments, CPU_INITIALIZATION, RULES.cpuInitializationPeriod()),
            FlagValues.durationOrZero(arguments, READINESS_DELAY, RULES.initialReadinessDelay())));
  }
}
