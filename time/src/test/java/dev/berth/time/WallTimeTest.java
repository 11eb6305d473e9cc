package dev.berth.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WallTimeTest extends LoopContract {
  private final WallTime time = new WallTime(this::takeNote);

  @Override
  Time time() {
    return time;
  }

  @Override
  <T> T await(CompletableFuture<T> value) {
    return value.orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  void awaitUnlessSingleThreaded(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    time.close();
  }

  @Test
  void aTimerDoesNotRunBeforeItIsDue() {
    Loop loop = time.start("l");
    CompletableFuture<Instant> ranAt = new CompletableFuture<>();
    Instant due = time.now().plusMillis(30);
    loop.at(due, () -> ranAt.complete(time.now()));
    assertThat(await(ranAt)).isAfterOrEqualTo(due);
  }

  @Test
  void manyThreadsMayOfferAndEachOneSeesItsOwnOrder() {
    Loop loop = time.start("l", new LoopLimits(100_000, 1));
    List<List<Integer>> perThread = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      List<Integer> ran = new ArrayList<>();
      perThread.add(ran);
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < 2_000; i++) {
              int event = i;
              loop.offer(() -> ran.add(event));
            }
          }));
    }
    threads.forEach(this::join);
    settle(loop);
    assertThat(perThread).allSatisfy(ran -> assertThat(ran).hasSize(2_000).isSorted());
  }

  @Test
  void closingWaitsForTheTaskThatIsRunning() {
    Loop loop = time.start("l");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> ran = new ArrayList<>();
    loop.offer(() -> {
      running.countDown();
      awaitUnlessSingleThreaded(goOn);
      ran.add("to its end");
    });
    awaitUnlessSingleThreaded(running);
    Thread closer = Thread.startVirtualThread(time::close);
    goOn.countDown();
    join(closer);
    assertThat(ran).containsExactly("to its end");
  }

  @Test
  void closingWaitsForTheCallsOfLoopsThatHaveEnded() {
    Loop loop = time.start("l");
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> ran = new ArrayList<>();
    loop.call(
        () -> {
          running.countDown();
          awaitUnlessSingleThreaded(goOn);
          ran.add("to its end");
          return 0;
        },
        _ -> ran.add("its loop has ended"));
    awaitUnlessSingleThreaded(running);
    loop.close();
    Thread closer = Thread.startVirtualThread(time::close);
    goOn.countDown();
    join(closer);
    assertThat(ran).containsExactly("to its end");
  }

  private void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tasksRunTogetherAndAllOfThemHaveEndedInTheEnd() {
    CountDownLatch met = new CountDownLatch(2);
    AtomicInteger ran = new AtomicInteger();
    List<Runnable> tasks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      tasks.add(ran::incrementAndGet);
    }
    for (int i = 0; i < 2; i++) {
      tasks.add(() -> {
        met.countDown();
        awaitUnlessSingleThreaded(met);
      });
    }
    time.together(tasks);
    assertThat(ran).hasValue(1_000);
  }

  @Test
  void whatOneOfThemThrowsIsThrown() {
    AtomicInteger ran = new AtomicInteger();
    Runnable bad =
        () -> {
          throw new IllegalStateException("bad");
        };
    assertThatThrownBy(() -> time.together(List.of(bad, ran::incrementAndGet)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("bad");
    assertThat(ran).hasValue(1);
  }

  @Test
  void aWallClockThatIsSetNeitherStallsNorHurriesATimer() {
    AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);
    try (WallTime settable = new WallTime(() -> time.now().plus(set.get()), this::takeNote)) {
      Loop loop = settable.start("l");
      for (int hours : List.of(-1, 1)) {
        Duration before = set.get();
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        CompletableFuture<Boolean> at = new CompletableFuture<>();
        List<String> early = new ArrayList<>();
        loop.after(Duration.ofMillis(30), () -> after.complete(true));
        loop.at(settable.now().plusMillis(30), () -> at.complete(true));
        Loop.Timer far = loop.after(Duration.ofMinutes(10), () -> early.add("after"));
        Loop.Timer farAt = loop.at(settable.now().plusSeconds(600), () -> early.add("at"));
        set.set(before.plusHours(hours));

        assertThat(await(after)).isTrue();
        assertThat(await(at)).isTrue();
        settle(loop);
        assertThat(early).isEmpty();
        assertThat(List.of(far, farAt))
            .allSatisfy(timer ->
                assertThat(timer.remaining())
                    .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10).plusSeconds(1)));
        far.cancel();
        farAt.cancel();
      }
    }
  }
}
