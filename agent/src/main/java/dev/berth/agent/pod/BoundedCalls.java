package dev.berth.agent.pod;

import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Blocking work beside a loop, so much of it at once and the rest in order. Unlike requests to a
 * server, each has a call of its own: what is done counts at once. What goes on with something that
 * was begun comes before what begins something else, so that of a hundred pods that are started at
 * once the first ones run soon. Lives on the loop.
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

  /** Begins something. */
  <T> void begin(Supplier<T> call, Consumer<T> then) {
    waiting.addLast(new Work<>(call, then));
    next();
  }

  /** Goes on with something that was begun. */
  <T> void goOn(Supplier<T> call, Consumer<T> then) {
    waiting.addFirst(new Work<>(call, then));
    next();
  }

  private void next() {
    while (underWay < atOnce && !waiting.isEmpty()) {
      if (!call(waiting.getFirst())) {
        loop.after(SOON, this::next);
        return;
      }
      waiting.removeFirst();
    }
  }

  private <T> boolean call(Work<T> work) {
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
