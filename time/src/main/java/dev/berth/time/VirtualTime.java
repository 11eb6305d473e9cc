package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Time that stands still until it is turned, and loops that run only while it turns.
 *
 * <p>A run is a pure function of its seed. There are no threads: whoever turns the clock runs all
 * loops, one task at a time, and whenever several loops have something to do the seed chooses which
 * is next. So a seed is one possible interleaving of a real system, and the same seed is always the
 * same one. Within a loop the order is the one {@link Loop} defines.
 *
 * <p>Not safe for several threads; that is the point. Only timers may be set and cancelled by
 * others, as requests do that a test sends from threads of their own.
 */
public final class VirtualTime implements Time {
  /** Where virtual time begins, unless told otherwise. */
  public static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");

  /** More steps than any cluster needs at one instant: tasks that go on for ever are found here. */
  private static final long MOST_STEPS_AT_ONE_INSTANT = 50_000_000;

  private final long seed;
  private final LoopFailure.Listener listener;
  private final RandomGenerator choice;
  private final TimerQueue<VirtualLoop.VirtualTimer> timers = new TimerQueue<>();

  /** What could run now: loops with tasks waiting, and calls. */
  private final List<Activity> ready = new ArrayList<>();

  /** On the monotonic clock. */
  private Instant now;

  /** By how much the wall clock is ahead of the monotonic one. */
  private Duration wallOffset = Duration.ZERO;

  private long steps;
  private long mostAtOneInstant = MOST_STEPS_AT_ONE_INSTANT;

  /** Something that has a next step. */
  interface Activity {
    /** Runs one step; false when there is no further one for now. */
    boolean step();
  }

  public VirtualTime(long seed, LoopFailure.Listener listener) {
    this(seed, EPOCH, listener);
  }

  public VirtualTime(long seed, Instant start, LoopFailure.Listener listener) {
    this.seed = seed;
    this.now = start;
    this.listener = listener;
    this.choice = new SplittableRandom(seed);
  }

  public long seed() {
    return seed;
  }

  /**
   * Says how many steps are more than may be needed at one instant: tasks that go on for ever are
   * found the sooner.
   */
  public void atMostAtOneInstant(long most) {
    mostAtOneInstant = most;
  }

  /** How many steps have run so far. */
  public long steps() {
    return steps;
  }

  @Override
  public Instant now() {
    return wallOffset.isZero() ? now : now.plus(wallOffset);
  }

  @Override
  public Instant monotonicNow() {
    return now;
  }

  /** Sets the wall clock, back or forth. No time passes by that, and no timer notices. */
  public void stepWallClock(Duration by) {
    wallOffset = wallOffset.plus(by);
  }

  @Override
  public Loop start(String name, LoopLimits limits) {
    return start(name, limits, listener);
  }

  @Override
  public Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    return new VirtualLoop(this, name, limits, onFailure);
  }

  @Override
  public RandomGenerator random(String name) {
    return new SplittableRandom(seed * 31 + name.hashCode());
  }

  /** Runs everything that is to be done by now. */
  public void settle() {
    advanceTo(now);
  }

  /** Lets time pass: everything that falls due in it happens, each at its instant. */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time does not run backwards: " + duration);
    }
    advanceTo(now.plus(duration));
  }

  private void advanceTo(Instant target) {
    runReady();
    for (Instant due = timers.nextDue();
        due != null && !due.isAfter(target);
        due = timers.nextDue()) {
      if (due.isAfter(now)) {
        now = due;
      }
      timers.takeDue(now, VirtualLoop.VirtualTimer::comeDue);
      runReady();
    }
    now = target;
  }

  /** From now on, the activity is among those that the seed chooses from. */
  void ready(Activity activity) {
    ready.add(activity);
  }

  TimerQueue<VirtualLoop.VirtualTimer> timers() {
    return timers;
  }

  LoopFailure failure(String loop, Throwable cause) {
    return new LoopFailure(loop, now(), OptionalLong.of(seed), steps, cause);
  }

  private void runReady() {
    long limit = steps + mostAtOneInstant;
    while (!ready.isEmpty()) {
      if (steps++ == limit) {
        throw new IllegalStateException(
            "Tasks go on without end at %s; the last of %d steps was %s (seed %d)"
                .formatted(now(), steps, ready.getLast(), seed));
      }
      int chosen = choice.nextInt(ready.size());
      Activity activity = ready.get(chosen);
      if (!activity.step()) {
        // Removing the last is cheap, so the last takes the place of the one that is idle now.
        Activity last = ready.removeLast();
        if (chosen < ready.size()) {
          ready.set(chosen, last);
        }
      }
    }
  }
}
