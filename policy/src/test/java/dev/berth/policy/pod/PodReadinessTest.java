package dev.berth.policy.pod;

import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodReadinessTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aReadyPodOfALostNodeIsNotReadyFromNowOn() {
    assertThat(PodReadiness.lost(pod("web").ready(true).view(), NOW))
        .contains(new Condition("Ready", ConditionStatus.FALSE, "Test", "", null, NOW));
  }

  @Test
  void aPodThatIsNotReadyStaysAsItIs() {
    assertThat(PodReadiness.lost(pod("web").ready(false).view(), NOW)).isEmpty();
    assertThat(PodReadiness.lost(pod("web").view(), NOW)).isEmpty();
  }
}
