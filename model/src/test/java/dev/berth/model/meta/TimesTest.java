package dev.berth.model.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.time.fixture.SeededTest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

  @Test
  void writesSecondsAndMicrosecondsInUtcAndCutsOffTheRest() {
    Instant instant = Instant.parse("2026-01-31T08:09:05.123456789Z");
    assertThat(Times.format(instant)).isEqualTo("2026-01-31T08:09:05Z");
    assertThat(Times.formatMicro(instant)).isEqualTo("2026-01-31T08:09:05.123456Z");
    assertThat(Times.toSeconds(instant)).isEqualTo("2026-01-31T08:09:05Z");
    Instant even = Instant.parse("0999-12-01T00:00:00Z");
    assertThat(Times.format(even)).isEqualTo("0999-12-01T00:00:00Z");
    assertThat(Times.formatMicro(even)).isEqualTo("0999-12-01T00:00:00.000000Z");
    assertThat(Times.formatMicro(Instant.parse("1969-12-31T23:59:59.000001Z")))
        .isEqualTo("1969-12-31T23:59:59.000001Z");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "2026-01-31T08:09:05Z, 2026-01-31T08:09:05Z",
    "2026-01-31T08:09:05+02:00, 2026-01-31T06:09:05Z",
    "2026-01-31T08:09:05-00:30, 2026-01-31T08:39:05Z",
    "2026-01-31T08:09:05.5Z, 2026-01-31T08:09:05.500Z",
    "2026-01-31T08:09:05.123456789+01:00, 2026-01-31T07:09:05.123456789Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "2024-02-29T23:59:59Z, 2024-02-29T23:59:59Z",
  })
  void readsAnyZoneAndFraction(String text, Instant expected) {
    assertThat(Times.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-01-31",
        "2026-01-31T08:09Z",
        "2026-01-31 08:09:05Z",
        "2026-01-31t08:09:05Z",
        "2026-01-31T08:09:05z",
        "2026-01-31T08:09:05",
        "2026-02-29T08:09:05Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T08:09:60Z",
        "2026-01-31T08:09:05.Z",
        "2026-01-31T08:09:05.+01:00",
        "+12026-01-31T08:09:05Z",
        "12026-01-31T08:09:05Z",
        "2026-1-31T08:09:05.1Z",
        "2026-01-31T08:09:05Z ",
        "2026-01-31T08:09:05+01:00[Europe/Zurich]",
        "\u0662026-01-31T08:09:05Z",
      })
  void refusesWhatIsNotRfc3339(String text) {
    assertThatThrownBy(() -> Times.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "parsing time \""
                + text
                + "\": expected a time of RFC 3339, such as 2006-01-02T15:04:05Z");
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        "2026-01-31T08:09:05Z",
        "2026-01-31T08:09:05.123Z",
        "2026-01-31T08:09:05.1234567Z",
        "2026-01-31T08:09:05.12345Z",
      })
  void wantsSixDigitsOfMicroseconds(String text) {
    assertThatThrownBy(() -> Times.parseMicro(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("such as 2006-01-02T15:04:05.000000Z");
    assertThat(Times.parseMicro("2026-01-31T08:09:05.000001+01:00"))
        .isEqualTo("2026-01-31T07:09:05.000001Z");
  }

  @SeededTest(fixed = 1, fresh = 1)
  void readsWhatItWrites(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 20_000; i++) {
      long second = random.nextLong(-62_135_596_800L, 253_402_300_800L);
      Instant instant = Instant.ofEpochSecond(second, random.nextInt(1_000_000_000));
      assertThat(Times.parse(Times.format(instant)))
          .as("seed %s: %s", seed, instant)
          .isEqualTo(Times.toSeconds(instant));
      assertThat(Times.parseMicro(Times.formatMicro(instant)))
          .as("seed %s: %s", seed, instant)
          .isEqualTo(instant.truncatedTo(ChronoUnit.MICROS));
    }
  }
}
