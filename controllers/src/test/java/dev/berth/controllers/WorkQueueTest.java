package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.time.Loop;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final ObjectName A = ObjectName.of("a");

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final Loop loop = time.start("component");
  private final Instant start = time.now();
  private final List<String> looks = new ArrayList<>();
  private final List<WorkQueue.Look> open = new ArrayList<>();
  private final List<Long> millis = new ArrayList<>();
  private final WorkQueue queue =
      new WorkQueue(
          loop,
          time,
          2,
          (name, look) -> {
            looks.add(name.name());
            open.add(look);
            millis.add(Duration.between(start, time.now()).toMillis());
          });

  private void run(Runnable task) {
    loop.offer(task);
    time.settle();
  }

  @Test
  void whatIsAddedTwiceWhileItWaitsIsLookedAtOnce() {
    run(() -> {
      queue.add(A);
      queue.add(A);
    });
    assertThat(looks).containsExactly("a");
  }

  @Test
  void whatIsAddedDuringALookIsLookedAtAfterIt() {
    run(() -> queue.add(A));
    run(() -> queue.add(A));
    assertThat(looks).containsExactly("a");
    run(() -> open.getFirst().succeeded());
    assertThat(looks).containsExactly("a", "a");
  }

  @Test
  void soManyLooksAreUnderWayAtOnce() {
    run(() -> List.of("a", "b", "c").forEach(name -> queue.add(ObjectName.of(name))));
    assertThat(looks).containsExactly("a", "b");
    assertThat(queue.size()).isEqualTo(3);
    run(() -> open.getFirst().succeeded());
    assertThat(looks).containsExactly("a", "b", "c");
  }

  @Test
  void failuresAreRepeatedLessAndLessOften() {
    run(() -> queue.add(A));
    for (int i = 0; i < 4; i++) {
      run(() -> open.getLast().failed());
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(millis).containsExactly(0L, 5L, 1_010L, 2_020L, 3_040L);
    run(() -> open.getLast().succeeded());
    run(() -> queue.add(A));
    run(() -> open.getLast().failed());
    time.advance(Duration.ofMillis(5));
    assertThat(looks).hasSize(7);
  }

  @Test
  void ofSeveralTimesTheEarliestCounts() {
    run(() -> {
      queue.addAfter(A, Duration.ofSeconds(10));
      queue.addAfter(A, Duration.ofSeconds(3));
      queue.addAfter(A, Duration.ofSeconds(20));
    });
    time.advance(Duration.ofSeconds(60));
    assertThat(millis).containsExactly(3_000L);
  }

  @Test
  void whatIsForgottenIsNotLookedAtLater() {
    run(() -> queue.addAfter(A, Duration.ofSeconds(5)));
    run(() -> queue.forget(A));
    time.advance(Duration.ofSeconds(10));
    assertThat(looks).isEmpty();
  }
}
