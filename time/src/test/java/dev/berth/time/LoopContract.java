package dev.berth.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What every loop does, on the wall clock and on virtual time. */
abstract class LoopContract {
  final List<LoopFailure> failures = new CopyOnWriteArrayList<>();
  private final CompletableFuture<LoopFailure> firstFailure = new CompletableFuture<>();

  void takeNote(LoopFailure failure) {
    failures.add(failure);
    firstFailure.complete(failure);
  }

  /** Components see no more of time than this. */
  abstract Time time();

  /** Lets time pass until the value is there. */
  abstract <T> T await(CompletableFuture<T> value);

  /** Lets everything happen that a loop was given before. */
  void settle(Loop loop) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    assertThat(loop.offer(() -> done.complete(true))).isTrue();
    await(done);
  }

  @Test
  void eventsRunInTheOrderTheyCame() {
    Loop loop = time().start("l");
    List<Integer> ran = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      int event = i;
      loop.offer(() -> ran.add(event));
    }
    settle(loop);
    assertThat(ran).hasSize(1000).isSorted();
  }

  @Test
  void timersRunInTheOrderTheyAreDueWhateverOrderTheyWereSet() {
    Loop loop = time().start("l");
    List<String> ran = new ArrayList<>();
    CompletableFuture<List<String>> all = new CompletableFuture<>();
    loop.offer(() -> {
      var now = time().now();
      loop.at(now.plusMillis(30), () -> all.complete(ran));
      loop.at(now.plusMillis(20), () -> ran.add("second"));
      loop.at(now.plusMillis(10), () -> ran.add("first"));
    });
    assertThat(await(all)).containsExactly("first", "second");
  }

  @Test
  void timersDueAtOneInstantRunInTheOrderTheyWereSet() {
    Loop loop = time().start("l");
    List<Integer> ran = new ArrayList<>();
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    loop.offer(() -> {
      var due = time().now().plusMillis(5);
      for (int i = 0; i < 100; i++) {
        int timer = i;
        loop.at(due, () -> ran.add(timer));
      }
      loop.at(due, () -> all.complete(ran));
    });
    assertThat(await(all)).hasSize(100).isSorted();
  }

  @Test
  void aTimerInThePastRunsAtOnceButAfterWhatWaitsAlready() {
    Loop loop = time().start("l");
    List<String> ran = new ArrayList<>();
    loop.offer(() -> {
      loop.offer(() -> ran.add("event"));
      loop.at(time().now().minusSeconds(5), () -> ran.add("timer"));
    });
    settle(loop);
    settle(loop);
    assertThat(ran).containsExactly("event", "timer");
  }

  @Test
  void aCancelledTimerDoesNotRunEvenWhenItIsDueAlready() {
    Loop loop = time().start("l");
    List<String> ran = new ArrayList<>();
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    loop.offer(() -> {
      Loop.Timer future = loop.after(Duration.ofMillis(5), () -> ran.add("future"));
      Loop.Timer due = loop.after(Duration.ZERO, () -> ran.add("due"));
      future.cancel();
      due.cancel();
      loop.after(Duration.ofMillis(10), () -> later.complete(true));
    });
    await(later);
    assertThat(ran).isEmpty();
  }

  @Test
  void aLoopThatThrowsIsReportedAndEndsWhileTheOthersGoOn() {
    Loop broken = time().start("broken");
    Loop healthy = time().start("healthy");
    CompletableFuture<String> answer = new CompletableFuture<>();
    IllegalStateException bug = new IllegalStateException("bug");
    List<String> ran = new CopyOnWriteArrayList<>();
    broken.offer(() -> {
      broken.offer(() -> ran.add("after the bug"));
      broken.after(Duration.ofMillis(1), () -> ran.add("timer after the bug"));
      healthy.after(Duration.ofMillis(20), () -> answer.complete("still here"));
      throw bug;
    });

    assertThat(await(answer)).isEqualTo("still here");
    assertThat(await(firstFailure).loop()).isEqualTo("broken");
    assertThat(failures).extracting(LoopFailure::cause).containsExactly(bug);
    assertThat(ran).isEmpty();
    assertThat(broken.offer(() -> {})).isFalse();
    assertThat(broken.<String>call(() -> "", _ -> {})).isFalse();
  }

  @Test
  void aCallThatThrowsEndsItsLoop() {
    Loop broken = time().start("broken");
    Error bug = new AssertionError("bug");
    broken.<String>call(
        () -> {
          throw bug;
        },
        _ -> {});
    assertThat(await(firstFailure).cause()).isSameAs(bug);
    assertThat(broken.offer(() -> {})).isFalse();
  }

  @Test
  void eventsBeyondTheLimitAreRefused() {
    Loop loop = time().start("l", new LoopLimits(2, 1));
    CompletableFuture<List<Boolean>> accepted = new CompletableFuture<>();
    loop.offer(() -> {
      List<Boolean> answers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answers.add(loop.offer(() -> {}));
      }
      accepted.complete(answers);
    });
    assertThat(await(accepted)).containsExactly(true, true, false);
  }

  @Test
  void aCallBringsItsResultToTheLoopAndCallsBeyondTheLimitAreRefused() {
    Loop loop = time().start("l", new LoopLimits(10, 1));
    CompletableFuture<String> result = new CompletableFuture<>();
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    CountDownLatch refused = new CountDownLatch(1);
    loop.offer(() -> {
      loop.call(
          () -> {
            awaitUnlessSingleThreaded(refused);
            return "done";
          },
          result::complete);
      second.complete(loop.<String>call(() -> "too many", _ -> {}));
      refused.countDown();
    });
    assertThat(await(result)).isEqualTo("done");
    assertThat(await(second)).isFalse();
    assertThat(loop.<String>call(() -> "room again", _ -> {})).isTrue();
  }

  /**
   * Holds a call back until the test has seen what it wants to; virtual time needs no such thing.
   */
  abstract void awaitUnlessSingleThreaded(CountDownLatch latch);

  @Test
  void aClosedLoopRunsNothingMore() {
    Loop loop = time().start("closed");
    Loop other = time().start("other");
    List<String> ran = new CopyOnWriteArrayList<>();
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    loop.offer(() -> {
      loop.offer(() -> ran.add("event"));
      loop.after(Duration.ofMillis(1), () -> ran.add("timer"));
      loop.close();
      other.after(Duration.ofMillis(20), () -> later.complete(true));
    });
    await(later);
    assertThat(ran).isEmpty();
    assertThat(loop.offer(() -> {})).isFalse();
  }

  @Test
  void whoStartsALoopMayBeToldOfItsFailureInsteadOfAllOthers() {
    CompletableFuture<LoopFailure> told = new CompletableFuture<>();
    Loop loop = time().start("own", LoopLimits.DEFAULT, told::complete);
    loop.offer(() -> {
      throw new IllegalStateException("a bug");
    });

    assertThat(await(told).loop()).isEqualTo("own");
    assertThat(loop.hasEnded()).isTrue();
    assertThat(failures).isEmpty();
  }

  @Test
  void aTimerSaysHowLongItWillTake() {
    Loop loop = time().start("l");
    assertThat(loop.after(Duration.ofHours(1), () -> {}).remaining())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    assertThat(loop.at(time().now().plusSeconds(3600), () -> {}).remaining())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    loop.close();
  }
}
