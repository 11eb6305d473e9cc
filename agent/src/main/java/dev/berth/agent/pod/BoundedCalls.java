package dev.berth.agent.pod;

import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Blocking work beside a loop, so much of it at once and the rest in order. Unlike requests to a
 * server, each has a call of its own: what is done counts at once. Lives on the loop.
 */
final class BoundedCalls {
  /** How soon to try again when the loop has no room for a call. */
  private static final Duration SOON = Duration.ofMillis(20);

  private record Work<T>(Supplier<T> call, Consumer<T> then) {}

  private final Loop loop;
  private final int atOnce;
  private final Deque<Work<?>> waiting = new ArrayDeque<>();
  private int underWay;

  BoundedCalls(Loop loop, int atOnce) {
    this.loop = loop;
    this.atOnce = atOnce;
  }

  <T> void run(Supplier<T> call, Consumer<T> then) {
    waiting.add(new Work<>(call, then));
    next();
  }

  private void next() {
    while (underWay < atOnce && !waiting.isEmpty()) {
      if (!begin(waiting.getFirst())) {
        loop.after(SOON, this::next);
        return;
      }
      waiting.removeFirst();
    }
  }

  private <T> boolean begin(Work<T> work) {
    boolean begun =
        loop.call(
            work.call,
            result -> {
              underWay--;
              work.then.accept(result);
              next();
            });
    underWay += begun ? 1 : 0;
    return begun;
  }
}
