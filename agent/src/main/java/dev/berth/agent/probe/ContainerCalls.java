package dev.berth.agent.probe;

import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of containers while somebody waits: beside the loop, and cut off when its time is
 * up or when the container ends, whatever the other side does. Lives on a loop.
 */
final class ContainerCalls {
  private static final Duration SOON = Duration.ofMillis(100);

  private final Loop loop;
  private final Map<String, List<Cutoff>> underWay = new HashMap<>();

  ContainerCalls(Loop loop) {
    this.loop = loop;
  }

  /**
   * Does something that blocks.
   *
   * @param timeout zero for as long as the container runs
   * @param work asks its cutoff what became of it
   * @param then gets what came of it, on the loop
   */
  void call(
      String container, Duration timeout, Function<Cutoff, Outcome> work, Consumer<Outcome> then) {
    Cutoff cutoff = new Cutoff(timeout);
    Loop.@Nullable Timer timer = timeout.isZero() ? null : loop.after(timeout, cutoff::end);
    boolean isBegun =
        loop.call(
            () -> work.apply(cutoff),
            outcome -> {
              forget(container, cutoff, timer);
              then.accept(outcome);
            });
    if (isBegun) {
      underWay.computeIfAbsent(container, _ -> new ArrayList<>()).add(cutoff);
    } else {
      forget(container, cutoff, timer);
      loop.after(SOON, () -> call(container, timeout, work, then));
    }
  }

  private void forget(String container, Cutoff cutoff, Loop.@Nullable Timer timer) {
    if (timer != null) {
      timer.cancel();
    }
    underWay.computeIfPresent(
        container,
        (_, cutoffs) -> {
          cutoffs.remove(cutoff);
          return cutoffs.isEmpty() ? null : cutoffs;
        });
  }

  /** The container has ended: nobody is interested in what else it could say. */
  void end(String container) {
    underWay.getOrDefault(container, List.of()).forEach(Cutoff::end);
  }
}
