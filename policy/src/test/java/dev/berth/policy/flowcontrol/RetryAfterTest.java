package dev.berth.policy.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When those who were refused shall come back. */
class RetryAfterTest {
  private final RetryAfter retryAfter = new RetryAfter();
  private long second = 1_000;

  private long refusals(int count) {
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = retryAfter.refused(Instant.ofEpochSecond(second));
    }
    second++;
    return last;
  }

  @Test
  void theFirstIsToldToWaitForASecond() {
    assertThat(refusals(1)).isEqualTo(1);
  }

  @Test
  void isDoubledWhileManyAreRefused() {
    assertThat(refusals(100)).isEqualTo(1);
    assertThat(refusals(100)).isEqualTo(2);
    assertThat(refusals(100)).as("no sooner than after as long as it is").isEqualTo(2);
    assertThat(refusals(100)).isEqualTo(4);
    for (int i = 0; i < 100; i++) {
      refusals(1_000);
    }
    assertThat(refusals(1)).isEqualTo(32);
  }

  @Test
  void fallsOnceFewAreRefused() {
    refusals(100);
    refusals(100);
    refusals(100);
    assertThat(refusals(1)).isEqualTo(4);
    second += 60;
    assertThat(refusals(1)).isEqualTo(3);
    second += 60;
    assertThat(refusals(1)).isEqualTo(2);
    second += 60;
    assertThat(refusals(1)).isEqualTo(1);
    second += 60;
    assertThat(refusals(1)).isEqualTo(1);
  }
}
