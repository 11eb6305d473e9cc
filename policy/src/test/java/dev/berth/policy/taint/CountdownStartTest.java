package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.taint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountdownStartTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}: seen after {1} ms, counted from {2} ms")
  @CsvSource({
    "seen within its second, 850, 850",
    "seen at the instant that is written, 0, 0",
    "seen a second later or more, 1000, 1000",
    "seen after a restart, 60000, 1000",
    "written by somebody whose clock is ahead, -5000, -5000"
  })
  void countsFromTheLatestInstantAtWhichItCanHaveBegun(String when, long seen, long from) {
    Taint taint = taint("a:NoExecute").addedAt(WRITTEN);
    assertThat(CountdownStart.ofTaint(taint, WRITTEN.plusMillis(seen)))
        .isEqualTo(WRITTEN.plusMillis(from));
  }

  @Test
  void aTaintWithoutATimeCountsFromWhenItWasSeen() {
    assertThat(CountdownStart.ofTaint(taint("a:NoExecute"), WRITTEN)).isEqualTo(WRITTEN);
  }

  @Test
  void aPodCountsFromItsBindingElseFromItsStartElseFromItsCreation() {
    Instant seen = WRITTEN.plusSeconds(1_000);
    PodFixture created = pod("p").with("metadata.creationTimestamp", text(0));
    PodFixture started = created.with("status.startTime", text(20));
    PodFixture waited = started.with("status.conditions", scheduled("False", 10));
    PodFixture bound = started.with("status.conditions", scheduled("True", 10));
    assertThat(CountdownStart.ofPod(new PodTree(created.tree()), seen)).isEqualTo(second(1));
    assertThat(CountdownStart.ofPod(new PodTree(started.tree()), seen)).isEqualTo(second(21));
    assertThat(CountdownStart.ofPod(new PodTree(waited.tree()), seen)).isEqualTo(second(21));
    assertThat(CountdownStart.ofPod(new PodTree(bound.tree()), seen)).isEqualTo(second(11));
    assertThat(CountdownStart.ofPod(new PodTree(bound.tree()), second(10))).isEqualTo(second(10));
  }

  private static Instant second(long number) {
    return WRITTEN.plusSeconds(number);
  }

  private static String text(long second) {
    return second(second).toString();
  }

  private static JsonArray scheduled(String status, long second) {
    return JsonArray.of(
        object("type", "PodScheduled", "status", status, "lastTransitionTime", text(second)));
  }
}
