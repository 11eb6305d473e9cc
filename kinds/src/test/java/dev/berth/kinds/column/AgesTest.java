package dev.berth.kinds.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as kubectl's users know them. */
class AgesTest {
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "PT0S, 0s",
    "PT-1S, 0s",
    "PT-5S, <invalid>",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT2M30S, 2m30s",
    "PT10M59S, 10m",
    "PT179M, 179m",
    "PT3H, 3h",
    "PT7H59M, 7h59m",
    "PT8H30M, 8h",
    "PT47H, 47h",
    "PT48H, 2d",
    "P7DT12H, 7d12h",
    "P8DT12H, 8d",
    "P729D, 729d",
    "P730D, 2y",
    "P1000D, 2y270d",
    "P3000D, 8y",
  })
  void areShort(Duration duration, String text) {
    assertThat(Ages.of(duration)).isEqualTo(text);
  }
}
