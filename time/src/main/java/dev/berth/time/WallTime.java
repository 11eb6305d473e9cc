package dev.berth.time;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Time as it passes. Each loop is a virtual thread; randomness differs from run to run. */
public final class WallTime implements Time, AutoCloseable {
  /** Tasks that are run together at once. */
  private static final int TOGETHER = 64;

  private final LoopFailure.Listener listener;
  private final Set<WallLoop> loops = ConcurrentHashMap.newKeySet();

  public WallTime(LoopFailure.Listener listener) {
    this.listener = listener;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    WallLoop loop = new WallLoop(this, name, limits);
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
                  tasks.get(n).run();
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

  void failed(WallLoop loop, Throwable cause) {
    listener.onFailure(new LoopFailure(loop.name(), now(), OptionalLong.empty(), 0, cause));
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
