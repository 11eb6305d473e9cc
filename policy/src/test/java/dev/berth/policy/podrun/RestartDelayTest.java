package dev.berth.policy.podrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long a container waits that ends again and again. */
final class RestartDelayTest {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void theFirstTimeItDoesNotWaitAndThenTenSecondsAndTwiceAsLongEachTime() {
    RestartDelay delay = RestartDelay.NONE;
    Instant now = START;
    assertThat(delay.waitsUntil(now, now, LONGEST)).isEmpty();
    delay = delay.next(now, now, LONGEST);
    for (int seconds : new int[] {10, 20, 40, 80, 160, 300, 300}) {
      Instant ended = now.plusSeconds(1);
      assertThat(delay.waitsUntil(ended, ended, LONGEST)).contains(ended.plusSeconds(seconds));
      now = ended.plusSeconds(seconds);
      assertThat(delay.waitsUntil(ended, now, LONGEST)).isEmpty();
      delay = delay.next(ended, now, LONGEST);
    }
  }

  @Test
  void itIsForgivenOnceItRanForMoreThanTwiceTheLongestDelay() {
    RestartDelay delay = RestartDelay.NONE.next(START, START, LONGEST).next(START, START, LONGEST);
    Instant tenMinutes = START.plusSeconds(600);

    assertThat(delay.waitsUntil(tenMinutes, tenMinutes, LONGEST)).isPresent();
    Instant later = tenMinutes.plusMillis(1);
    assertThat(delay.waitsUntil(later, later, LONGEST)).isEmpty();
    assertThat(delay.next(later, later, LONGEST).delay()).isEqualTo(Duration.ofSeconds(10));
  }
}
