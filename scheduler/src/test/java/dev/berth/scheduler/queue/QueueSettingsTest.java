package dev.berth.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long pods wait. */
class QueueSettingsTest {

  @ParameterizedTest(name = "after {0} failures: {1} s")
  @CsvSource({"0, 0", "1, 1", "2, 2", "3, 4", "4, 8", "5, 10", "6, 10", "1000, 10"})
  void backoffDoublesUpToItsMaximum(int failures, long seconds) {
    assertThat(QueueSettings.DEFAULT.backoff(failures)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
