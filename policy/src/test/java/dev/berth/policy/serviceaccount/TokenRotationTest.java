package dev.berth.policy.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenRotationTest {
  private static final Instant ISSUED = Instant.parse("2030-01-01T00:00:00Z");

  @ParameterizedTest(name = "a token for {0} at {1} with {2}s of jitter: {3}")
  @CsvSource({
    "PT1H, PT0S, 0, false",
    "PT1H, PT48M, 0, false",
    "PT1H, PT48M0.001S, 0, true",
    "PT1H, PT47M51S, 10, true",
    "PT1H, PT47M50S, 10, false",
    "PT1H, PT2H, 0, true",
    "PT8760H, PT24H, 0, false",
    "PT8760H, PT24H0.001S, 0, true",
    "PT8760H, PT23H59M51S, 10, true",
    "PT24H, PT19H12M1S, 0, true",
  })
  void isRenewedWithAFifthOfItsLifeLeftOrAfterADay(
      Duration lifetime, Duration age, long jitter, boolean isDue) {
    assertThat(
            TokenRotation.isDue(
                ISSUED.plus(lifetime), lifetime, ISSUED.plus(age), Duration.ofSeconds(jitter)))
        .isEqualTo(isDue);
  }

  @Test
  void jitterIsLessThanTenSeconds() {
    assertThat(TokenRotation.jitter(0)).isEqualTo(Duration.ZERO);
    assertThat(TokenRotation.jitter(0.999)).isEqualTo(Duration.ofSeconds(9));
  }
}
