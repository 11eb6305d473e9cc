package dev.berth.policy.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RejectionBackoffTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static boolean isRejected(String status) {
    JsonObject pod =
        JsonReader.object(
            ("{\"status\":{" + status.replace('\'', '"') + "}}").getBytes(StandardCharsets.UTF_8),
            JsonLimits.REQUEST);
    return RejectionBackoff.isRejected(new PodTree(pod));
  }

  @Test
  void aPodWasRejectedIfItFailedWithoutAContainer() {
    assertThat(isRejected("'phase':'Failed','reason':'OutOfcpu'")).isTrue();
    assertThat(isRejected("'phase':'Failed','containerStatuses':[{'name':'c'}]")).isFalse();
    assertThat(isRejected("'phase':'Failed','initContainerStatuses':[{'name':'c'}]")).isFalse();
    assertThat(isRejected("'phase':'Pending'")).isFalse();
  }

  @Test
  void eachReplacementWaitsTwiceAsLongAsTheLastUpToAMinute() {
    List<Duration> waits = new ArrayList<>();
    RejectionBackoff backoff = RejectionBackoff.NONE;
    Instant now = NOW;
    for (int i = 0; i < 9; i++) {
      String uid = "p" + i;
      Instant rejected = now;
      while (backoff.holds(uid, now)) {
        now = backoff.until();
      }
      waits.add(Duration.between(rejected, now));
      backoff = backoff.replacing(Set.of(uid), now);
    }
    assertThat(waits)
        .extracting(Duration::toSeconds)
        .containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
  }

  @Test
  void whatWasReplacedOnceDoesNotHoldBackOthers() {
    RejectionBackoff backoff = RejectionBackoff.NONE.replacing(Set.of("a"), NOW);
    assertThat(backoff.holds("a", NOW)).isFalse();
    assertThat(backoff.replacing(Set.of("a"), NOW.plusSeconds(9))).isEqualTo(backoff);
    assertThat(backoff.having(Set.of("a", "b")).holds("b", NOW)).isFalse();
    assertThat(backoff.having(Set.of()).replaced()).isEmpty();
  }

  @Test
  void itBeginsAnewAfterAWhileAndWhenTheClockWasSetBack() {
    RejectionBackoff backoff =
        RejectionBackoff.NONE
            .replacing(Set.of("a"), NOW)
            .replacing(Set.of("b"), NOW.plusSeconds(1));
    assertThat(backoff.delay()).isEqualTo(Duration.ofSeconds(2));
    assertThat(backoff.replacing(Set.of("c"), NOW.plusSeconds(122)).delay())
        .isEqualTo(Duration.ofSeconds(1));

    Instant earlier = NOW.minusSeconds(600);
    assertThat(backoff.holds("c", earlier)).isFalse();
    assertThat(backoff.replacing(Set.of("c"), earlier).holds("d", earlier)).isTrue();
  }
}
