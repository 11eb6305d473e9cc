package dev.berth.policy.nodestatus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportScheduleTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final ReportSchedule FIVE_MINUTES = ReportSchedule.every(Duration.ofMinutes(5));

  @ParameterizedTest(name = "random {0}: {1} s after a change")
  @CsvSource({"0, 150", "0.5, 300", "1, 450"})
  void afterAChangeTheNextReportComesAtARandomMoment(double random, long seconds) {
    ReportSchedule next = FIVE_MINUTES.reported(true, random, NOW);
    assertThat(next.isDue(NOW.plusSeconds(seconds).minusMillis(1))).isFalse();
    assertThat(next.isDue(NOW.plusSeconds(seconds))).isTrue();
  }

  @Test
  void thenTheyComeRegularly() {
    ReportSchedule first = FIVE_MINUTES.reported(true, 1, NOW);
    ReportSchedule next = first.reported(false, 1, NOW);
    assertThat(next.isDue(NOW.plusSeconds(299))).isFalse();
    assertThat(next.isDue(NOW.plusSeconds(300))).isTrue();
  }

  @Test
  void whatWasNeverReportedIsDue() {
    assertThat(FIVE_MINUTES.isDue(NOW)).isTrue();
    assertThat(FIVE_MINUTES.reported(false, 1, NOW).isDue(NOW.plusSeconds(449))).isFalse();
  }
}
