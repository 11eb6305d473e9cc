package dev.berth.policy.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RotationDeadlineTest {
  @ParameterizedTest
  @CsvSource({"0, 2030-01-08T00:00:00Z", "0.5, 2030-01-09T00:00:00Z", "1, 2030-01-10T00:00:00Z"})
  void aCertificateIsReplacedAfterSeventyToNinetyPercent(double random, Instant expected) {
    assertThat(
            RotationDeadline.of(
                Instant.parse("2030-01-01T00:00:00Z"),
                Instant.parse("2030-01-11T00:00:00Z"),
                random))
        .isEqualTo(expected);
  }
}
