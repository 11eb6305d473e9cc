package dev.berth.controllers.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
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
  private final Metrics metrics = new Metrics();
  private final Loop loop = time.start("component");
  private final Instant start = time.now();
  private final List<String> processed = new ArrayList<>();
  private final List<WorkQueue.Item> open = new ArrayList<>();
  private final List<Long> millis = new ArrayList<>();
  private final WorkQueue queue =
      new WorkQueue(
          new ControllerParts(new NoApi(), time, metrics, _ -> {}),
          loop,
          "some",
          2,
          (name, item) -> {
            processed.add(name.name());
            open.add(item);
            millis.add(Duration.between(start, time.now()).toMillis());
          });

  /** Nobody asks. */
  private record NoApi() implements Api {
    @Override
    public ApiResult send(ApiRequest request) {
      throw new AssertionError("a queue asks nothing");
    }

    @Override
    public ListResult list(ListRequest request) {
      throw new AssertionError("a queue asks nothing");
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      throw new AssertionError("a queue asks nothing");
    }
  }

  private void run(Runnable task) {
    loop.offer(task);
    time.settle();
  }

  @Test
  void whatIsAddedTwiceWhileItWaitsIsProcessedOnce() {
    run(() -> {
      queue.add(A);
      queue.add(A);
    });
    assertThat(processed).containsExactly("a");
  }

  @Test
  void whatIsAddedWhileItIsProcessedIsProcessedAgain() {
    run(() -> queue.add(A));
    run(() -> queue.add(A));
    assertThat(processed).containsExactly("a");
    run(() -> open.getFirst().succeeded());
    assertThat(processed).containsExactly("a", "a");
  }

  @Test
  void soManyAreProcessedAtOnce() {
    run(() -> List.of("a", "b", "c").forEach(name -> queue.add(ObjectName.of(name))));
    assertThat(processed).containsExactly("a", "b");
    assertThat(queue.size()).isEqualTo(3);
    run(() -> open.getFirst().succeeded());
    assertThat(processed).containsExactly("a", "b", "c");
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
    assertThat(processed).hasSize(7);
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
    assertThat(text()).contains("workqueue_retries_total{name=\"some\"} 3");
  }

  @Test
  void whatIsForgottenIsNotProcessedLater() {
    run(() -> queue.addAfter(A, Duration.ofSeconds(5)));
    run(() -> queue.forget(A));
    time.advance(Duration.ofSeconds(10));
    assertThat(processed).isEmpty();
  }

  /** One of two is processed for four seconds, then fails; the other waits its turn meanwhile. */
  @Test
  void countsWhatUpstreamCounts() {
    run(() -> List.of("a", "b", "c").forEach(name -> queue.add(ObjectName.of(name))));
    time.advance(Duration.ofSeconds(4));
    assertThat(text())
        .contains(
            "workqueue_depth{name=\"some\"} 1",
            "workqueue_unfinished_work_seconds{name=\"some\"} 8",
            "workqueue_longest_running_processor_seconds{name=\"some\"} 4");
    run(() -> open.getFirst().failed());
    assertThat(text())
        .contains(
            "workqueue_adds_total{name=\"some\"} 3",
            "workqueue_retries_total{name=\"some\"} 1",
            "workqueue_depth{name=\"some\"} 0",
            "workqueue_queue_duration_seconds_sum{name=\"some\"} 4",
            "workqueue_queue_duration_seconds_bucket{name=\"some\",le=\"1e-08\"} 2",
            "workqueue_queue_duration_seconds_bucket{name=\"some\",le=\"1\"} 2",
            "workqueue_work_duration_seconds_bucket{name=\"some\",le=\"10\"} 1",
            "workqueue_work_duration_seconds_count{name=\"some\"} 1");
  }

  private List<String> text() {
    return metrics.text(MetricsText.Format.PROMETHEUS).lines().toList();
  }
}
