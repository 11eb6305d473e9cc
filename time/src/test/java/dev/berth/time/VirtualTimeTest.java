package dev.berth.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VirtualTimeTest extends LoopContract {
  private final VirtualTime time = new VirtualTime(42, this::takeNote);

  @Override
  Time time() {
    return time;
  }

  @Override
  <T> T await(CompletableFuture<T> value) {
    time.advance(Duration.ofSeconds(1));
    assertThat(value).isDone();
    return value.join();
  }

  @Override
  void awaitUnlessSingleThreaded(CountDownLatch latch) {
    assertThat(latch.getCount()).isZero();
  }

  @Test
  void aTimerRunsAtItsInstantAndNotATickSooner() {
    List<Instant> ran = new ArrayList<>();
    time.start("l").after(Duration.ofSeconds(300), () -> ran.add(time.now()));

    time.advance(Duration.ofSeconds(300).minusNanos(1));
    assertThat(ran).isEmpty();

    time.advance(Duration.ofNanos(1));
    assertThat(ran).containsExactly(VirtualTime.EPOCH.plusSeconds(300));
  }

  @Test
  void whatFallsDueOnTheWayHappensAtItsOwnInstant() {
    Loop loop = time.start("l");
    List<Instant> ticks = new ArrayList<>();
    tickEvery(Duration.ofSeconds(10), loop, ticks);

    time.advance(Duration.ofHours(1));

    assertThat(ticks).hasSize(360);
    assertThat(ticks.getFirst()).isEqualTo(VirtualTime.EPOCH.plusSeconds(10));
    assertThat(ticks.getLast())
        .isEqualTo(VirtualTime.EPOCH.plusSeconds(3600))
        .isEqualTo(time.now());
  }

  private void tickEvery(Duration period, Loop loop, List<Instant> ticks) {
    loop.after(
        period,
        () -> {
          ticks.add(time.now());
          tickEvery(period, loop, ticks);
        });
  }

  @SeededTest(fixed = 50, fresh = 50)
  void theSameSeedGivesTheSameHistory(long seed) {
    assertThat(history(seed)).isEqualTo(history(seed));
  }

  @Test
  void otherSeedsGiveOtherHistories() {
    assertThat(LongStream.range(0, 100).mapToObj(VirtualTimeTest::history)).doesNotHaveDuplicates();
  }

  /** Loops that send each other events, set and cancel timers, call out and draw at random. */
  private static List<String> history(long seed) {
    List<String> history = new ArrayList<>();
    VirtualTime time = new VirtualTime(seed, failure -> history.add(failure.toString()));
    List<Loop> loops = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      loops.add(time.start("loop-" + i));
    }
    for (Loop loop : loops) {
      RandomGenerator random = time.random(loop.name());
      loop.offer(() -> act(time, loops, loop, random, history));
    }
    time.advance(Duration.ofSeconds(60));
    assertThat(history).hasSizeGreaterThan(100);
    return history;
  }

  private static void act(
      VirtualTime time, List<Loop> loops, Loop self, RandomGenerator random, List<String> history) {
    history.add(time.now() + " " + self.name());
    Loop other = loops.get(random.nextInt(loops.size()));
    other.offer(() -> history.add(time.now() + " " + self.name() + " -> " + other.name()));
    self.call(time::now, asked -> history.add(self.name() + " asked at " + asked));
    Loop.Timer timer =
        self.after(
            Duration.ofMillis(random.nextInt(5_000)),
            () -> act(time, loops, self, random, history));
    if (random.nextInt(10) == 0) {
      timer.cancel();
      self.after(Duration.ofSeconds(1), () -> act(time, loops, self, random, history));
    }
  }

  @Test
  void aFailureNamesTheSeedThatRepeatsIt() {
    time.start("broken")
        .after(
            Duration.ofSeconds(7),
            () -> {
              throw new IllegalStateException("bug");
            });
    time.advance(Duration.ofSeconds(10));
    assertThat(failures)
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.seed()).isEqualTo(OptionalLong.of(42));
          assertThat(failure.at()).isEqualTo(VirtualTime.EPOCH.plusSeconds(7));
          assertThat(failure.toString()).contains("\"broken\"", "bug", "seed 42");
        });
  }

  @Test
  void oneComponentDrawingMoreDoesNotChangeWhatAnotherDraws() {
    RandomGenerator first = new VirtualTime(7, failures::add).random("a");
    VirtualTime again = new VirtualTime(7, failures::add);
    var _ = again.random("b").nextLong();
    assertThat(again.random("a").nextLong()).isEqualTo(first.nextLong());
  }

  @Test
  void tasksThatNeverComeToRestAreReportedInsteadOfHanging() {
    time.atMostAtOneInstant(1_000);
    Loop loop = time.start("restless");
    loop.offer(() -> again(loop));
    assertThatThrownBy(time::settle)
        .hasMessageContaining("without end")
        .hasMessageContaining("restless")
        .hasMessageContaining("seed 42");
  }

  private static void again(Loop loop) {
    loop.offer(() -> again(loop));
  }

  @Test
  void aHundredThousandTimersAreSetCancelledAndRun() {
    Loop loop = time.start("l");
    List<Integer> ran = new ArrayList<>();
    List<Loop.Timer> timers = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      int timer = i;
      timers.add(loop.after(Duration.ofSeconds(300).plusMillis(i % 977), () -> ran.add(timer)));
    }
    for (int i = 0; i < timers.size(); i += 2) {
      timers.get(i).cancel();
    }
    time.advance(Duration.ofSeconds(299));
    assertThat(ran).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(ran).hasSize(50_000).allMatch(i -> i % 2 == 1);
  }

  @Test
  void aWallClockThatIsSetNeitherStallsNorHurriesATimer() {
    List<Instant> ran = new ArrayList<>();
    Loop loop = time.start("l");
    for (int hours : List.of(-1, 1)) {
      Instant before = time.monotonicNow();
      loop.after(Duration.ofSeconds(10), () -> ran.add(time.monotonicNow()));
      loop.at(time.now().plusSeconds(20), () -> ran.add(time.monotonicNow()));
      time.stepWallClock(Duration.ofHours(hours));
      assertThat(time.monotonicNow()).isEqualTo(before);

      time.advance(Duration.ofSeconds(20));
      assertThat(ran).containsExactly(before.plusSeconds(10), before.plusSeconds(20));
      ran.clear();
    }
    assertThat(time.now()).as("back and forth").isEqualTo(time.monotonicNow());
  }
}
