package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A loop that runs when {@link VirtualTime} lets it, a task at a time. */
final class VirtualLoop implements Loop, VirtualTime.Activity {
  private final VirtualTime time;
  private final String name;
  private final LoopLimits limits;
  private final LoopFailure.Listener onFailure;
  private final LoopContext context;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private int calls;
  private boolean ended;

  /** Whether {@link VirtualTime} knows that this loop has something to do. */
  private boolean announced;

  VirtualLoop(VirtualTime time, String name, LoopLimits limits, LoopFailure.Listener onFailure) {
    this.time = time;
    this.name = name;
    this.limits = limits;
    this.onFailure = onFailure;
    this.context = new LoopContext(name, time);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean offer(Runnable event) {
    if (ended || tasks.size() >= limits.events()) {
      return false;
    }
    enqueue(event);
    return true;
  }

  private void enqueue(Runnable task) {
    tasks.add(task);
    if (!announced) {
      announced = true;
      time.ready(this);
    }
  }

  @Override
  public Timer at(Instant due, Runnable task) {
    return after(time.until(due), task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    Instant due = time.monotonicNow().plus(delay);
    VirtualTimer timer = new VirtualTimer(due, task);
    if (delay.isPositive()) {
      timer.place = time.timers().add(due, timer);
    } else {
      timer.comeDue();
    }
    return timer;
  }

  @Override
  public <T> boolean call(Supplier<T> work, Consumer<T> then) {
    if (ended || calls >= limits.calls()) {
      return false;
    }
    calls++;
    time.ready(() -> {
      context.run(() -> finish(work, then));
      return false;
    });
    return true;
  }

  private <T> void finish(Supplier<T> work, Consumer<T> then) {
    T result;
    try {
      result = work.get();
    } catch (Throwable t) {
      fail(t);
      return;
    }
    calls--;
    if (!ended) {
      enqueue(() -> then.accept(result));
    }
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public void close() {
    ended = true;
    tasks.clear();
  }

  @Override
  public boolean step() {
    Runnable task = tasks.poll();
    if (task != null) {
      try {
        context.run(task);
      } catch (Throwable t) {
        fail(t);
      }
    }
    announced = !tasks.isEmpty();
    return announced;
  }

  private void fail(Throwable cause) {
    close();
    FatalError.check(cause);
    onFailure.onFailure(time.failure(name, cause));
  }

  @Override
  public String toString() {
    return "the loop \"" + name + "\"";
  }

  /** A timer that forgets its task when it is cancelled, also between coming due and running. */
  final class VirtualTimer implements Timer, Runnable {
    private final Instant due;
    private @Nullable Runnable task;
    private TimerQueue.@Nullable Entry<VirtualTimer> place;

    VirtualTimer(Instant due, Runnable task) {
      this.due = due;
      this.task = task;
    }

    void comeDue() {
      if (!ended) {
        enqueue(this);
      }
    }

    @Override
    public Duration remaining() {
      return Duration.between(time.monotonicNow(), due);
    }

    @Override
    public void cancel() {
      task = null;
      if (place != null) {
        time.timers().remove(place);
      }
    }

    @Override
    public void run() {
      if (task != null) {
        task.run();
      }
    }
  }
}
