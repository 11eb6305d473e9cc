package dev.berth.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.standalone.ControllersCommand;
import dev.berth.controllers.podautoscaler.HorizontalPodAutoscalerSettings;
import dev.berth.policy.autoscale.AutoscalerSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How autoscalers work, as the flags say it. */
class AutoscalingOptionsTest {
  private static HorizontalPodAutoscalerSettings read(String... words) {
    return AutoscalingOptions.read(Arguments.parse(new ControllersCommand(), List.of(words)));
  }

  @Test
  void withoutFlagsUpstreamsDefaultsHold() {
    assertThat(read())
        .isEqualTo(
            new HorizontalPodAutoscalerSettings(
                Duration.ofSeconds(15),
                5,
                new AutoscalerSettings(
                    Duration.ofMinutes(5), 0.1, Duration.ofMinutes(5), Duration.ofSeconds(30))));
  }

  @Test
  void eachFlagIsHeard() {
    assertThat(
            read(
                "--horizontal-pod-autoscaler-sync-period=1s",
                "--concurrent-horizontal-pod-autoscaler-syncs=2",
                "--horizontal-pod-autoscaler-downscale-stabilization=0",
                "--horizontal-pod-autoscaler-tolerance=0.2",
                "--horizontal-pod-autoscaler-cpu-initialization-period=3m",
                "--horizontal-pod-autoscaler-initial-readiness-delay=0s"))
        .isEqualTo(
            new HorizontalPodAutoscalerSettings(
                Duration.ofSeconds(1),
                2,
                new AutoscalerSettings(Duration.ZERO, 0.2, Duration.ofMinutes(3), Duration.ZERO)));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> read("--horizontal-pod-autoscaler-sync-period=0s"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("greater than 0");
    assertThatThrownBy(() -> read("--concurrent-horizontal-pod-autoscaler-syncs=0"))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> read("--horizontal-pod-autoscaler-tolerance=-1"))
        .isInstanceOf(UsageException.class);
  }
}
