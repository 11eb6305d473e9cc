package dev.berth.scheduler;

import dev.berth.component.ComponentScope;
import dev.berth.time.Time;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that follows the cluster while another leads, so that it can place pods at once when
 * it leads itself. It is started by one thread and led by another; whichever comes last has it
 * begin.
 */
public final class StandbyScheduler {
  /** What schedulers are called among components. */
  public static final String NAME = "scheduler";

  private final Consumer<Scheduler> onStart;
  private volatile boolean leads;
  private volatile @Nullable Scheduler scheduler;

  private StandbyScheduler(Consumer<Scheduler> onStart) {
    this.onStart = onStart;
  }

  /** Has one follow the cluster; returns what makes it lead. */
  public static Runnable prepare(ComponentScope scope, Function<Time, Scheduler.Parts> parts) {
    return prepare(scope, parts, _ -> {});
  }

  /**
   * The same.
   *
   * @param onStart is told of each that is started; one that fails is started afresh
   */
  public static Runnable prepare(
      ComponentScope scope, Function<Time, Scheduler.Parts> parts, Consumer<Scheduler> onStart) {
    StandbyScheduler standby = new StandbyScheduler(onStart);
    scope.run(NAME, own -> standby.start(parts.apply(own.time())));
    return standby::lead;
  }

  /** Starts a scheduler that places pods at once. */
  public static Scheduler leading(Scheduler.Parts parts) {
    Scheduler scheduler = Scheduler.start(parts);
    scheduler.lead();
    return scheduler;
  }

  private Scheduler start(Scheduler.Parts parts) {
    Scheduler started = Scheduler.start(parts);
    scheduler = started;
    onStart.accept(started);
    if (leads) {
      started.lead();
    }
    return started;
  }

  private void lead() {
    leads = true;
    Scheduler started = scheduler;
    if (started != null) {
      started.lead();
    }
  }
}
