package dev.berth.sim.supervision;

import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The time of one process: like another, but with a wall clock of its own, and with tasks and calls
 * that throw when a test wants them to.
 */
final class ProcessTime implements Time {
  private final Time time;
  private Duration wallOffset = Duration.ZERO;

  /** Asked with a loop's name before each of its tasks and calls: whether it is to throw. */
  Predicate<String> faults = _ -> false;

  /** How many tasks and calls each loop has run that somebody supervises, by the loops' names. */
  final Map<String, Integer> supervised = new TreeMap<>();

  ProcessTime(Time time) {
    this.time = time;
  }

  /** A bug that is none. */
  static final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    InjectedFailure(String loop) {
      super("injected into " + loop);
    }
  }

  void stepWallClock(Duration by) {
    wallOffset = wallOffset.plus(by);
  }

  @Override
  public Instant now() {
    return time.now().plus(wallOffset);
  }

  @Override
  public Instant monotonicNow() {
    return time.monotonicNow();
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    return new FaultyLoop(time.start(name, limits), false);
  }

  @Override
  public Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    supervised.putIfAbsent(name, 0);
    return new FaultyLoop(time.start(name, limits, onFailure), true);
  }

  @Override
  public RandomGenerator random(String name) {
    return time.random(name);
  }

  private final class FaultyLoop implements Loop {
    private final Loop loop;
    private final boolean mayFail;

    FaultyLoop(Loop loop, boolean mayFail) {
      this.loop = loop;
      this.mayFail = mayFail;
    }

    private void strike() {
      if (!mayFail) {
        return;
      }
      supervised.merge(loop.name(), 1, Integer::sum);
      if (faults.test(loop.name())) {
        throw new InjectedFailure(loop.name());
      }
    }

    private Runnable faulty(Runnable task) {
      return () -> {
        strike();
        task.run();
      };
    }

    @Override
    public String name() {
      return loop.name();
    }

    @Override
    public boolean offer(Runnable event) {
      return loop.offer(faulty(event));
    }

    @Override
    public Timer at(Instant due, Runnable task) {
      return loop.after(until(due), faulty(task));
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      return loop.after(delay, faulty(task));
    }

    @Override
    public <T> boolean call(Supplier<T> work, Consumer<T> then) {
      return loop.call(
          () -> {
            strike();
            return work.get();
          },
          result -> {
            strike();
            then.accept(result);
          });
    }

    @Override
    public boolean hasEnded() {
      return loop.hasEnded();
    }

    @Override
    public void close() {
      loop.close();
    }
  }
}
