package dev.berth.sim;

import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.LoopLimits;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The time of one process: like another, but with a wall clock of its own; with requests and
 * answers that may take a while; with tasks and calls that throw when somebody wants them to; with
 * sleep, as by {@code kill -STOP}; and with an end, at which all its loops end as by {@code kill
 * -9}.
 */
public final class ProcessTime implements Time {
  private final Time time;
  private final String identity;
  private final Supplier<Duration> delays;
  private final @Nullable Loop network;
  private final List<Loop> loops = new ArrayList<>();
  private final Map<String, Integer> supervised = new TreeMap<>();
  private Predicate<String> faults = _ -> false;
  private Duration wallOffset = Duration.ZERO;
  private final List<Runnable> sleeping = new ArrayList<>();
  private boolean asleep;
  private boolean killed;

  /** A process on whose way to the server nothing takes time. */
  public ProcessTime(Time time) {
    this(time, "");
  }

  /**
   * The same.
   *
   * @param identity differs from that of all other processes, those that it comes after as well: no
   *     two draw the same UIDs
   */
  public ProcessTime(Time time, String identity) {
    this.time = time;
    this.identity = identity;
    this.delays = () -> Duration.ZERO;
    this.network = null;
  }

  /**
   * A process whose calls and their results take time on their way.
   *
   * @param network outlives the process: what was sent arrives, whoever sent it
   * @param delays asked for each call, and again for its result
   */
  public ProcessTime(Time time, String identity, Loop network, Supplier<Duration> delays) {
    this.time = time;
    this.identity = identity;
    this.delays = delays;
    this.network = network;
  }

  /** A bug that is none. */
  public static final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    InjectedFailure(String loop) {
      super("injected into " + loop);
    }
  }

  /** Has tasks and calls throw: asked with a loop's name before each of its own. */
  public void failWhere(Predicate<String> loops) {
    faults = loops;
  }

  /** How many tasks and calls each loop has run that somebody supervises, by the loops' names. */
  public Map<String, Integer> supervised() {
    return supervised;
  }

  /** Sets the wall clock, back or forth. */
  public void stepWallClock(Duration by) {
    wallOffset = wallOffset.plus(by);
  }

  /** Stops where it is: tasks do not run, and what it had begun to send is not sent. */
  public void sleep() {
    asleep = true;
  }

  /** Goes on, with what it was about to send first. */
  public void wake() {
    asleep = false;
    List<Runnable> waiting = List.copyOf(sleeping);
    sleeping.clear();
    waiting.forEach(Runnable::run);
  }

  /** Ends all loops at once, those that are yet to be started as well. */
  public void kill() {
    killed = true;
    loops.forEach(Loop::close);
    loops.clear();
  }

  @Override
  public Instant now() {
    return wallOffset.isZero() ? time.now() : time.now().plus(wallOffset);
  }

  @Override
  public Instant monotonicNow() {
    return time.monotonicNow();
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    return started(new FaultyLoop(time.start(name, limits), false));
  }

  @Override
  public Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    supervised.putIfAbsent(name, 0);
    return started(new FaultyLoop(time.start(name, limits, onFailure), true));
  }

  private Loop started(Loop loop) {
    loops.removeIf(Loop::hasEnded);
    if (killed) {
      loop.close();
    } else {
      loops.add(loop);
    }
    return loop;
  }

  @Override
  public RandomGenerator random(String name) {
    return time.random(identity.isEmpty() ? name : identity + " " + name);
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
      return new Runnable() {
        @Override
        public void run() {
          if (asleep) {
            sleeping.add(() -> loop.offer(this));
            return;
          }
          strike();
          task.run();
        }
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
      Supplier<T> striking =
          () -> {
            strike();
            return work.get();
          };
      Consumer<T> taken =
          result -> {
            strike();
            then.accept(result);
          };
      Duration there = network == null ? Duration.ZERO : delays.get();
      Duration back = network == null ? Duration.ZERO : delays.get();
      if (there.isZero() && back.isZero()) {
        return loop.call(striking, taken);
      }
      if (loop.hasEnded()) {
        return false;
      }
      send(there, back, striking, taken);
      return true;
    }

    private <T> void send(Duration there, Duration back, Supplier<T> work, Consumer<T> then) {
      Loop way = network;
      if (way == null) {
        throw new IllegalStateException("nothing takes time here");
      }
      way.after(
          there,
          () -> {
            if (asleep) {
              sleeping.addFirst(() -> send(Duration.ZERO, back, work, then));
              return;
            }
            T result;
            try {
              result = work.get();
            } catch (RuntimeException e) {
              // As in a call that takes no time: it ends the loop that made it.
              loop.after(
                  Duration.ZERO,
                  () -> {
                    throw e;
                  });
              return;
            }
            way.after(back, () -> loop.after(Duration.ZERO, faulty(() -> then.accept(result))));
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
