package dev.berth.component;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Metrics;
import dev.berth.time.Loop;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps components running. When a loop of a component fails, or the component cannot be started,
 * the failure is logged with its stack trace and counted, the component's health says that it is
 * down, everything of it ends, and after a while ({@link RestartBackoff}) it is started afresh. The
 * state of components is soft, so that a fresh start is all that it takes.
 *
 * <p>Threads: one loop owns which components there are and how they are; their factories and what
 * ends them run on it, so both must return at once. Whatever they throw is a failure of theirs.
 * Should the supervisor's own loop fail, that is told to its time's listener, as that of any loop
 * that nobody supervises: a process ends then.
 *
 * <p>Nothing here is durable, and nothing grows: a component has one status, one timer, and the
 * loops of its current start.
 */
public final class Supervisor implements Components, AutoCloseable {
  private final Time time;
  private final Loop loop;
  private final ComponentHealth health = new ComponentHealth();
  private final Family<Counter> restarts;
  private final LoopFailure.Listener observer;

  /** Those that are not run by others. The loop's own. */
  private final List<SupervisedComponent> roots = new ArrayList<>();

  private boolean closed;
  private boolean hasCaughtUp;

  public Supervisor(Time time, Metrics metrics) {
    this(time, metrics, _ -> {});
  }

  /**
   * @param observer is told of each failure of a loop first, on the thread that it failed on; a
   *     test that expects none throws there
   */
  public Supervisor(Time time, Metrics metrics, LoopFailure.Listener observer) {
    this.time = time;
    this.observer = observer;
    this.loop = time.start("supervisor");
    this.restarts =
        metrics.counters(
            "berth_component_restarts_total",
            "Failures of components, after each of which the component is started afresh.",
            "component");
  }

  public ComponentHealth health() {
    return health;
  }

  @Override
  public Handle run(String name, Factory factory) {
    return add(new SupervisedComponent(this, null, name, false, factory));
  }

  @Override
  public Handle runAsOne(String name, Factory factory) {
    return add(new SupervisedComponent(this, null, name, true, factory));
  }

  private Handle add(SupervisedComponent component) {
    onLoop(() -> {
      if (!closed) {
        roots.add(component);
        component.begin();
      }
    });
    return component;
  }

  /**
   * Done when everything that was asked for so far has been started, or has failed to. The process
   * is ready without what is asked for later, unless that fails.
   */
  public CompletableFuture<Void> caughtUp() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    onLoop(() -> {
      hasCaughtUp = true;
      done.complete(null);
    });
    return done;
  }

  /** Whether the process was told to be ready once. On the loop. */
  boolean hasCaughtUp() {
    return hasCaughtUp;
  }

  /**
   * Begins to end all components, the last first; for good.
   *
   * @return done when that has been begun for each of them
   */
  public CompletableFuture<Void> stop() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    onLoop(() -> {
      closed = true;
      List.copyOf(roots).reversed().forEach(SupervisedComponent::end);
      // Behind what the components have just asked for.
      onLoop(() -> {
        done.complete(null);
        loop.close();
      });
    });
    return done;
  }

  @Override
  public void close() {
    var _ = stop();
  }

  /** A timer is never refused, however much else waits. */
  void onLoop(Runnable task) {
    loop.after(Duration.ZERO, task);
  }

  Loop loop() {
    return loop;
  }

  Time time() {
    return time;
  }

  LoopFailure.Listener observer() {
    return observer;
  }

  void count(String component) {
    restarts.with(component).increment();
  }

  void forget(SupervisedComponent root) {
    roots.remove(root);
  }
}
