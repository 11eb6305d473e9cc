package dev.berth.component;

import dev.berth.time.FatalError;
import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A component and its starts, one after the other. Lives on the supervisor's loop, but for {@link
 * #close} and what its {@link Start} offers to the component, which any thread may call.
 */
final class SupervisedComponent implements Components.Handle {
  private final Supervisor supervisor;
  private final @Nullable Start ranBy;
  private final String name;
  private final boolean asOne;
  private final Components.Factory factory;
  private final RestartBackoff backoff;
  private final Logger log;

  private volatile boolean closed;
  private volatile @Nullable Start current;

  /** The next fresh start while it is down; while it runs, the end of a good run. */
  private Loop.@Nullable Timer timer;

  /** Which of those that it is one with brought it down; null while it is not down. */
  private @Nullable String culprit;

  SupervisedComponent(
      Supervisor supervisor,
      @Nullable Start ranBy,
      String name,
      boolean asOne,
      Components.Factory factory) {
    this.supervisor = supervisor;
    this.ranBy = ranBy;
    this.name = name;
    this.asOne = asOne;
    this.factory = factory;
    this.backoff = new RestartBackoff(supervisor.time().random("restarts of " + name));
    this.log = LoggerFactory.getLogger(name);
  }

  void begin() {
    supervisor.health().set(name, new ComponentStatus.Starting(!supervisor.hasCaughtUp()));
    start();
  }

  private void start() {
    if (closed) {
      return;
    }
    Start next = new Start();
    current = next;
    try {
      next.running = factory.start(next);
    } catch (Throwable t) {
      FatalError.check(t);
      failed(next, t);
      return;
    }
    supervisor.health().set(name, new ComponentStatus.Running(supervisor.time().now()));
    timer = supervisor.loop().after(RestartBackoff.GOOD_RUN, backoff::reset);
    if (backoff.failures() > 0) {
      log.info("{} was started afresh.", name);
    }
    next.beginChildren();
  }

  private void failed(Start start, Throwable cause) {
    supervisor.count(name);
    if (cause instanceof UncheckedIOException) {
      // No bug but the machine, such as a port that is taken: its message says what to do.
      log.error("{} failed: {}", name, cause.getMessage());
      log.debug("{} failed here", name, cause);
      wentDown(start, String.valueOf(cause.getMessage()));
      return;
    }
    log.error("{} failed: {}", name, cause.toString(), cause);
    wentDown(start, cause.toString());
  }

  private void wentDown(Start start, String why) {
    // Otherwise it has ended already, for this reason or for another.
    if (start == current && !closed) {
      restartUnit().goDown(this, why);
    }
  }

  /** Who is to be started afresh when this one fails: it, or the outermost that it is one with. */
  private SupervisedComponent restartUnit() {
    SupervisedComponent unit = this;
    for (Start outer = ranBy; outer != null; outer = outer.component().ranBy) {
      unit = outer.component().asOne ? outer.component() : unit;
    }
    return unit;
  }

  private void goDown(SupervisedComponent origin, String why) {
    endCurrent();
    Duration wait = backoff.failed();
    timer = supervisor.loop().after(wait, this::startAfresh);
    String reason = origin == this ? why : "%s failed: %s".formatted(origin.name, why);
    Instant now = supervisor.time().now();
    ComponentStatus down =
        new ComponentStatus.Down(now, reason, now.plus(wait), backoff.failures());
    supervisor.health().set(name, down);
    // Whoever asks wants to hear the name of the one with the bug.
    supervisor.health().set(origin.name, down);
    culprit = origin.name;
    log.warn("{} will be started afresh in {} ms.", name, wait.toMillis());
  }

  private void startAfresh() {
    forgetCulprit();
    start();
  }

  private void forgetCulprit() {
    if (culprit != null && !culprit.equals(name)) {
      supervisor.health().remove(culprit);
    }
    culprit = null;
  }

  private void endCurrent() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Start ending = current;
    current = null;
    if (ending != null) {
      ending.end();
    }
  }

  /**
   * Ends the loops at once, by whoever calls; the rest follows on the supervisor's loop. Also for a
   * component that has not begun yet.
   */
  @Override
  public void close() {
    stopLoops();
    supervisor.onLoop(this::end);
  }

  @Override
  public void stop() {
    supervisor.onLoop(this::end);
  }

  private void stopLoops() {
    closed = true;
    Start running = current;
    if (running != null) {
      running.children.forEach(SupervisedComponent::stopLoops);
      running.time.end();
    }
  }

  /** Ends it for good, in order: what it returned is closed while its loops still run. */
  void end() {
    closed = true;
    endCurrent();
    forgetCulprit();
    supervisor.health().remove(name);
    if (ranBy == null) {
      supervisor.forget(this);
    } else {
      ranBy.children.remove(this);
    }
  }

  /** What belongs to one start. */
  final class Start implements ComponentScope {
    private final ComponentTime time = new ComponentTime(supervisor.time(), this::loopFailed);

    /** In the order in which they were asked for. */
    private final List<SupervisedComponent> children = new CopyOnWriteArrayList<>();

    /** Those of them that have not begun yet. */
    private final Queue<SupervisedComponent> toBegin = new ConcurrentLinkedQueue<>();

    private volatile boolean ended;
    private @Nullable AutoCloseable running;

    private SupervisedComponent component() {
      return SupervisedComponent.this;
    }

    @Override
    public Time time() {
      return time;
    }

    @Override
    public Handle run(String child, Factory childsFactory) {
      return add(child, false, childsFactory);
    }

    @Override
    public Handle runAsOne(String child, Factory childsFactory) {
      return add(child, true, childsFactory);
    }

    private Handle add(String child, boolean childAsOne, Factory childsFactory) {
      SupervisedComponent added =
          new SupervisedComponent(supervisor, this, child, childAsOne, childsFactory);
      children.add(added);
      toBegin.add(added);
      supervisor.onLoop(this::beginChildren);
      return added;
    }

    void beginChildren() {
      for (SupervisedComponent next = toBegin.poll(); next != null; next = toBegin.poll()) {
        if (!ended && !next.closed) {
          next.begin();
        }
      }
    }

    @Override
    public void restart(String why) {
      children.forEach(SupervisedComponent::stopLoops);
      supervisor.onLoop(() -> {
        log.warn("{} ends: {}", name, why);
        supervisor.count(name);
        wentDown(this, why);
      });
    }

    @Override
    public void fail(Throwable cause) {
      supervisor.onLoop(() -> failed(this, cause));
    }

    private void loopFailed(LoopFailure failure) {
      supervisor.observer().onFailure(failure);
      fail(failure.cause());
    }

    /**
     * Those that depend on it end first; what it returned may still use its loops to say goodbye.
     */
    void end() {
      ended = true;
      List.copyOf(children).reversed().forEach(SupervisedComponent::end);
      AutoCloseable ending = running;
      if (ending != null) {
        try {
          ending.close();
        } catch (Throwable t) {
          FatalError.check(t);
          log.error("{} did not end in order: {}", name, t.toString(), t);
        }
      }
      time.end();
    }
  }
}
