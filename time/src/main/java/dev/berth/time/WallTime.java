package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Time as it passes. Each loop is a virtual thread; randomness differs from run to run.
 *
 * <p>{@link #now} is the wall clock's and steps with it. Everything that waits or measures uses the
 * monotonic clock of the machine.
 */
public final class WallTime implements Time, AutoCloseable {
  /** Tasks that are run together at once. */
  private static final int TOGETHER = 64;

  /** A wall clock that differs by less was not set, only read a moment later. */
  private static final Duration SAME_SETTING = Duration.ofMillis(1);

  private final LoopFailure.Listener listener;
  private final InstantSource wallClock;
  private final Instant began;
  private final long beganNanos = System.nanoTime();

  /** By how much the wall clock was ahead of the monotonic one when last compared. */
  private final AtomicReference<Duration> wallOffset = new AtomicReference<>(Duration.ZERO);

  private final Set<WallLoop> loops = ConcurrentHashMap.newKeySet();

  /**
   * @param listener is told of loops that failed and of which nobody else is told
   */
  public WallTime(LoopFailure.Listener listener) {
    this(InstantSource.system(), listener);
  }

  /** With a wall clock that a test may set. */
  WallTime(InstantSource wallClock, LoopFailure.Listener listener) {
    this.wallClock = wallClock;
    this.began = wallClock.instant();
    this.listener = listener;
    FatalError.prepare();
  }

  @Override
  public Instant now() {
    return wallClock.instant();
  }

  @Override
  public Instant monotonicNow() {
    return began.plusNanos(System.nanoTime() - beganNanos);
  }

  /**
   * When it is on the monotonic clock that the wall clock, as it is set now, shows an instant.
   * Never sooner; later by less than {@link #SAME_SETTING}, since the two cannot be read at once.
   * Earlier answers are kept to while nobody sets the wall clock, so that one instant is answered
   * in an order: what is asked later is not due sooner.
   */
  Instant toMonotonic(Instant wall) {
    Instant now = wallClock.instant();
    Duration fresh = Duration.between(monotonicNow(), now);
    Duration offset =
        wallOffset.accumulateAndGet(
            fresh,
            (known, read) ->
                read.compareTo(known) < 0 || read.compareTo(known.plus(SAME_SETTING)) > 0
                    ? read
                    : known);
    return wall.minus(offset);
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    return start(name, limits, listener);
  }

  @Override
  public Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    WallLoop loop = new WallLoop(this, name, limits, onFailure);
    loops.add(loop);
    loop.start();
    return loop;
  }

  @Override
  public RandomGenerator random(String name) {
    return new SplittableRandom();
  }

  @Override
  public void together(List<? extends Runnable> tasks) {
    AtomicInteger next = new AtomicInteger();
    List<CompletableFuture<?>> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(TOGETHER, tasks.size()); i++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = next.getAndIncrement(); n < tasks.size(); n = next.getAndIncrement()) {
                  run(tasks.get(n));
                }
              },
              task -> Thread.ofVirtual().name("together").start(task)));
    }
    try {
      CompletableFuture.allOf(threads.toArray(CompletableFuture<?>[]::new)).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      FatalError.check(t);
      throw t;
    }
  }

  void ended(WallLoop loop) {
    loops.remove(loop);
  }

  /**
   * Ends all loops and waits for the tasks that they are running, and, for some seconds, for their
   * calls. Not to be called from a loop.
   */
  @Override
  public void close() {
    for (WallLoop loop : loops) {
      loop.close();
      loop.join();
    }
  }
}
