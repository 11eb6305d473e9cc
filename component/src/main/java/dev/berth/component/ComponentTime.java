package dev.berth.component;

import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * The time of one start of a component: knows its loops, tells of their failures, and ends them
 * together. May be used by any thread.
 */
final class ComponentTime implements Time {
  private final Time time;
  private final LoopFailure.Listener onFailure;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Loop> loops = new ArrayList<>();
  private boolean ended;

  ComponentTime(Time time, LoopFailure.Listener onFailure) {
    this.time = time;
    this.onFailure = onFailure;
  }

  @Override
  public Instant now() {
    return time.now();
  }

  @Override
  public Instant monotonicNow() {
    return time.monotonicNow();
  }

  @Override
  public Duration until(Instant due) {
    return time.until(due);
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    return start(name, limits, onFailure);
  }

  @Override
  public Loop start(String name, LoopLimits limits, LoopFailure.Listener listener) {
    Loop loop = time.start(name, limits, listener);
    lock.lock();
    try {
      loops.removeIf(Loop::hasEnded);
      if (ended) {
        loop.close();
      } else {
        loops.add(loop);
      }
    } finally {
      lock.unlock();
    }
    return loop;
  }

  @Override
  public RandomGenerator random(String name) {
    return time.random(name);
  }

  @Override
  public void together(List<? extends Runnable> tasks) {
    time.together(tasks);
  }

  /** Ends all loops, those that are yet to be started as well. */
  void end() {
    lock.lock();
    try {
      ended = true;
      loops.forEach(Loop::close);
      loops.clear();
    } finally {
      lock.unlock();
    }
  }
}
