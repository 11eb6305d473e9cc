package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.log.CapturedLog;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLine;
import dev.berth.model.user.User;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.observe.RequestLog;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Which requests an operator hears of. */
class RequestLogTest {
  private final VirtualTime time = new VirtualTime(1, failure -> {});
  private final Observers observers = new Observers(time, List.of(new RequestLog(time)));
  private final CapturedLog log = CapturedLog.from(Level.INFO);

  @AfterEach
  void close() {
    log.close();
  }

  private void ask(String target, int code, Duration took) {
    Observed request =
        observers.begin(new FakeExchange("GET", target).with("Authorization", "Bearer hidden"));
    request.identified(new User("ann", List.of()));
    request.answered(code);
    time.advance(took);
    observers.end(request);
  }

  @Test
  void aSlowRequestIsLoggedWithoutItsQuery() {
    ask("/api/v1/pods?token=hidden", 200, Duration.ofMillis(499));
    assertThat(log.lines()).isEmpty();
    ask("/api/v1/pods?token=hidden", 200, Duration.ofMillis(500));
    assertThat(log.text(LogFormat.TEXT))
        .contains(" INFO  http ", "slow request verb=get path=/api/v1/pods code=200 user=ann")
        .contains("took=500ms")
        .doesNotContain("hidden");
  }

  @Test
  void aWallClockThatIsSetMeanwhileMakesARequestNeitherSlowNorFast() {
    Observed request = observers.begin(new FakeExchange("GET", "/api/v1/pods"));
    time.stepWallClock(Duration.ofHours(1));
    observers.end(request);
    assertThat(log.lines()).isEmpty();

    request = observers.begin(new FakeExchange("GET", "/api/v1/pods"));
    time.stepWallClock(Duration.ofHours(-2));
    time.advance(Duration.ofSeconds(1));
    observers.end(request);
    assertThat(log.text(LogFormat.TEXT)).contains("slow request", "took=1000ms");
  }

  @Test
  void whatIsAskedToTakeItsTimeIsNotSlow() {
    ask("/debug/support/jfr?seconds=60", 200, Duration.ofMinutes(1));
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void whoeverIsNotLetInIsLoggedAFewTimesAndThenCounted() {
    for (int i = 0; i < 1_000; i++) {
      ask("/api/v1/pods", 401, Duration.ZERO);
    }
    assertThat(log.messages()).hasSize(10).containsOnly("authentication failed");
    time.advance(Duration.ofSeconds(10));
    ask("/api/v1/pods", 401, Duration.ZERO);
    assertThat(log.lines()).hasSize(11);
    assertThat(log.lines().getLast())
        .extracting((LogLine line) -> line.value("not-logged-before"))
        .isEqualTo("990");
  }
}
