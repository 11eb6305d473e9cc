package dev.berth.controllers.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlowStartTest {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final AtomicInteger asked = new AtomicInteger();
  private final List<ApiResult> answers = new ArrayList<>();
  private final List<Optional<ApiResult.Failure>> ends = new ArrayList<>();

  /** The first so many requests succeed. */
  private void run(long count, int succeed) {
    Loop loop = time.start("component");
    BoundedRequests bounded = new BoundedRequests(loop, 16);
    loop.offer(() ->
        SlowStart.run(
            bounded,
            count,
            () ->
                asked.incrementAndGet() <= succeed
                    ? new ApiResult.Done(JsonObject.EMPTY)
                    : new ApiResult.Refused(ApiError.of(403, "no")),
            answers::add,
            ends::add));
    time.settle();
  }

  @Test
  void allAreMadeIfNoneFails() {
    run(1_000, 1_000);
    assertThat(answers).hasSize(1_000).allMatch(ApiResult::isDone);
    assertThat(ends).containsExactly(Optional.empty());
  }

  @Test
  void oneIsMadeInVainIfTheFirstFails() {
    run(1_000, 0);
    assertThat(asked).hasValue(1);
    assertThat(ends.getFirst()).map(ApiResult.Failure::message).contains("no");
  }

  @Test
  void noMoreAreMadeInVainThanSucceeded() {
    run(1_000, 10);
    assertThat(asked.get()).isBetween(11, 22);
    assertThat(answers).hasSize(asked.get());
    assertThat(ends).hasSize(1);
  }

  @Test
  void nothingToDoEndsAtOnce() {
    run(0, 0);
    assertThat(ends).containsExactly(Optional.empty());
  }
}
