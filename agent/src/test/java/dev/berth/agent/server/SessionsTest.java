package dev.berth.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many sessions there may be. */
class SessionsTest {

  @Test
  void aFloodEndsAtTheDoor() throws Refusal {
    Sessions sessions = new Sessions();
    List<Sessions.Place> places = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      places.add(sessions.begin());
    }
    assertThatThrownBy(sessions::begin)
        .isInstanceOf(Refusal.class)
        .satisfies(refusal -> assertThat(((Refusal) refusal).status()).isEqualTo(429));
    places.getFirst().close();
    sessions.begin().close();
  }
}
