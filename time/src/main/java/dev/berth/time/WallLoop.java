package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A loop on a virtual thread of its own.
 *
 * <p>Threads: the queue and the timers are guarded by {@code lock}; tasks run outside it.
 */
final class WallLoop implements Loop {
  private static final Duration LONGEST_WAIT = Duration.ofDays(1);

  /** How long calls that are under way are waited for at the end. */
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

  private final WallTime time;
  private final String name;
  private final LoopLimits limits;
  private final LoopFailure.Listener onFailure;
  private final LoopContext context;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Runnable> ready = new ArrayDeque<>();
  private final TimerQueue<Runnable> timers = new TimerQueue<>();
  private int calls;
  private boolean ended;
  private boolean threadEnded;

  WallLoop(WallTime time, String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    this.time = time;
    this.name = name;
    this.limits = limits;
    this.onFailure = onFailure;
    this.context = new LoopContext(name, time);
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> context.run(this::run));
  }

  void start() {
    thread.start();
  }

  void join() {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        joinCalls();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for calls that are under way, which use what is taken down after us; not for ever. */
  private void joinCalls() throws InterruptedException {
    long left = LONGEST_GOODBYE.toNanos();
    lock.lock();
    try {
      while (calls > 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean offer(Runnable event) {
    lock.lock();
    try {
      if (ended || ready.size() >= limits.events()) {
        return false;
      }
      // A timer that is due already comes first, as it would if the loop had been idle.
      timers.takeDue(time.monotonicNow(), ready::add);
      ready.add(event);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Timer at(Instant due, Runnable task) {
    return onceDue(time.toMonotonic(due), task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    return onceDue(time.monotonicNow().plus(delay), task);
  }

  private Timer onceDue(Instant due, Runnable task) {
    lock.lock();
    try {
      Instant now = time.monotonicNow();
      WallTimer timer = new WallTimer(due, task);
      if (ended) {
        return timer;
      }
      if (due.isAfter(now)) {
        timer.place = timers.add(due, timer);
      } else {
        timers.takeDue(now, ready::add);
        ready.add(timer);
      }
      changed.signal();
      return timer;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <T> boolean call(Supplier<T> work, Consumer<T> then) {
    lock.lock();
    try {
      if (ended || calls >= limits.calls()) {
        return false;
      }
      calls++;
    } finally {
      lock.unlock();
    }
    Thread.ofVirtual().name(name + "-call").start(() -> context.run(() -> finish(work, then)));
    return true;
  }

  private <T> void finish(Supplier<T> work, Consumer<T> then) {
    Runnable followUp = () -> {};
    try {
      T result = work.get();
      followUp = () -> then.accept(result);
    } catch (Throwable t) {
      fail(t);
    }
    lock.lock();
    try {
      calls--;
      if (!ended) {
        ready.add(followUp);
      }
      changed.signal();
      forgetIfDone();
    } finally {
      lock.unlock();
    }
  }

  /** What has neither a thread nor a call left needs no waiting for. */
  private void forgetIfDone() {
    if (threadEnded && calls == 0) {
      time.ended(this);
    }
  }

  @Override
  public boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      ended = true;
      ready.clear();
      timers.clear();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Runnable task = take(); task != null; task = take()) {
        task.run();
      }
    } catch (Throwable t) {
      fail(t);
    } finally {
      lock.lock();
      try {
        threadEnded = true;
        forgetIfDone();
      } finally {
        lock.unlock();
      }
    }
  }

  private void fail(Throwable cause) {
    FatalError.check(cause);
    close();
    onFailure.onFailure(new LoopFailure(name, time.now(), OptionalLong.empty(), 0, cause));
  }

  /** Waits for the next task; null once the loop has ended. */
  private @Nullable Runnable take() {
    lock.lock();
    try {
      while (!ended) {
        Instant now = time.monotonicNow();
        timers.takeDue(now, ready::add);
        Runnable task = ready.poll();
        if (task != null) {
          return task;
        }
        await(timers.nextDue(), now);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // take() is the loop
  private void await(@Nullable Instant due, Instant now) {
    if (due == null) {
      changed.awaitUninterruptibly();
      return;
    }
    try {
      var _ = changed.awaitNanos(nanosUntil(due, now));
    } catch (InterruptedException e) {
      // Nobody interrupts a loop; close() is how it ends. The wait is simply begun again.
    }
  }

  /** A wait that is too long to be counted in nanoseconds is begun again when it is over. */
  private static long nanosUntil(Instant due, Instant now) {
    Duration wait = Duration.between(now, due);
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait.toNanos() : LONGEST_WAIT.toNanos();
  }

  /** A timer that forgets its task when it is cancelled, also between coming due and running. */
  private final class WallTimer implements Timer, Runnable {
    private final Instant due;
    private @Nullable Runnable task;
    private TimerQueue.@Nullable Entry<Runnable> place;

    WallTimer(Instant due, Runnable task) {
      this.due = due;
      this.task = task;
    }

    @Override
    public Duration remaining() {
      return Duration.between(time.monotonicNow(), due);
    }

    @Override
    public void cancel() {
      lock.lock();
      try {
        task = null;
        if (place != null) {
          timers.remove(place);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void run() {
      Runnable toRun;
      lock.lock();
      try {
        toRun = task;
      } finally {
        lock.unlock();
      }
      if (toRun != null) {
        toRun.run();
      }
    }
  }
}
