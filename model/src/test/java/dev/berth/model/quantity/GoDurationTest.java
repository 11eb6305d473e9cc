package dev.berth.model.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as Go writes them. */
class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1ms",
    "999, 999ms",
    "1000, 1s",
    "1500, 1.5s",
    "59999, 59.999s",
    "60000, 1m0s",
    "183250, 3m3.25s",
    "3600000, 1h0m0s",
    "86400000, 24h0m0s",
  })
  void areWrittenToTheMillisecondAndReadAgain(long millis, String text) {
    assertThat(GoDuration.text(Duration.ofMillis(millis))).isEqualTo(text);
    assertThat(GoDuration.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }
}
