package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.policy.autoscale.ScaleChanges.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScaleChangesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final AutoscalerBehavior DEFAULT =
      Objects.requireNonNull(AutoscalerView.read(tree("{'spec':{'behavior':{}}}")).behavior());

  @Test
  void bothDirectionsCountUntilTheLongestPeriodIsOver() {
    ScaleChanges changes =
        ScaleChanges.NONE
            .with(1, 5, DEFAULT, NOW.minusSeconds(20))
            .with(5, 8, DEFAULT, NOW.minusSeconds(10))
            .with(8, 6, DEFAULT, NOW.minusSeconds(5));

    assertThat(changes.atStartOf(Duration.ofSeconds(15), 6, NOW)).isEqualTo(5);
    assertThat(changes.atStartOf(Duration.ofSeconds(7), 6, NOW)).isEqualTo(8);
    assertThat(changes.with(6, 7, DEFAULT, NOW))
        .isEqualTo(
            new ScaleChanges(
                List.of(new Change(3, NOW.minusSeconds(10)), new Change(1, NOW)),
                List.of(new Change(2, NOW.minusSeconds(5)))));
  }
}
