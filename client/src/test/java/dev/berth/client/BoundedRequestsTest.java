package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.Loop;
import dev.berth.time.LoopLimits;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedRequestsTest {
  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final List<Integer> made = new ArrayList<>();
  private final List<Integer> followed = new ArrayList<>();

  private void run(BoundedRequests requests, int number) {
    requests.run(
        () -> {
          made.add(number);
          return number;
        },
        followed::add);
  }

  @Test
  void everyRequestIsMadeAndFollowedOnce() {
    Loop loop = time.start("component");
    BoundedRequests requests = new BoundedRequests(loop, 2);
    loop.offer(() -> {
      for (int i = 0; i < 100; i++) {
        run(requests, i);
      }
      assertThat(requests.size()).isEqualTo(100);
    });
    time.settle();
    assertThat(made).hasSize(100).doesNotHaveDuplicates();
    assertThat(followed).containsExactlyInAnyOrderElementsOf(made);
    assertThat(requests.size()).isZero();
  }

  @Test
  void aLoopWithoutRoomForCallsIsTriedAgain() {
    Loop loop = time.start("component", new LoopLimits(10, 1));
    BoundedRequests requests = new BoundedRequests(loop, 4);
    loop.offer(() -> {
      for (int i = 0; i < 5; i++) {
        run(requests, i);
      }
    });
    time.advance(Duration.ofSeconds(1));
    assertThat(followed).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
  }

  @Test
  void whatIsNoLongerWantedWhenItsTurnComesIsNotMade() {
    Loop loop = time.start("component");
    BoundedRequests requests = new BoundedRequests(loop, 1);
    boolean[] wanted = {true};
    loop.offer(() -> {
      run(requests, 1);
      requests.run(
          () -> wanted[0],
          () -> {
            made.add(2);
            return 2;
          },
          followed::add);
      run(requests, 3);
      wanted[0] = false;
    });
    time.settle();
    assertThat(made).containsExactly(1, 3);
    assertThat(followed).containsExactly(1, 3);
    assertThat(requests.size()).isZero();
  }
}
