package dev.berth.agent.shutdown;

import dev.berth.agent.pod.EndingPods;
import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.model.core.PodRules;
import dev.berth.model.core.PodView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.GracePeriod;
import dev.berth.policy.shutdown.ShutdownPeriods;
import dev.berth.policy.shutdown.ShutdownPhase;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends all pods of a node, range by range: the next begins when all of one have ended, or when its
 * time is over. Lives on the loop of the shutdown; used once.
 */
final class PhasedTermination {
  private static final String MESSAGE = "Pod was terminated in response to imminent node shutdown.";
  private static final Eviction WHY = new Eviction("Terminated", MESSAGE, Optional.of(MESSAGE));

  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Loop loop;
  private final Time time;
  private final EndingPods pods;
  private final Consumer<String> progress;
  private final Runnable then;
  private final Deque<ShutdownPhase> phases = new ArrayDeque<>();

  /** When the shutdown began, on the monotonic clock. */
  private final Instant began;

  private @Nullable ShutdownPhase current;
  private Loop.@Nullable Timer timer;
  private boolean isOver;

  /**
   * @param gone how much of the shutdown's time has gone by
   * @param progress told what it does
   * @param then run when all pods have ended, or all time is over
   */
  PhasedTermination(
      Loop loop,
      Time time,
      EndingPods pods,
      Duration gone,
      Consumer<String> progress,
      Runnable then) {
    this.loop = loop;
    this.time = time;
    this.pods = pods;
    this.progress = progress;
    this.then = then;
    began = time.monotonicNow().minus(gone);
  }

  void begin(ShutdownPeriods periods) {
    // Whether or not it becomes known which pods there are. One that comes late ends them at once.
    Duration left = periods.total().minus(time.since(began));
    timer = loop.after(left.compareTo(LEAST) < 0 ? LEAST : left, this::finish);
    pods.whenKnown(active -> later(() -> begin(periods, active)));
  }

  private void begin(ShutdownPeriods periods, List<JsonObject> active) {
    if (!isOver) {
      phases.addAll(
          ShutdownPhase.of(periods, active.stream().map(PhasedTermination::read).toList()));
      next();
    }
  }

  private static ShutdownPhase.Pod read(JsonObject pod) {
    PodView view = PodView.read(pod);
    return new ShutdownPhase.Pod(
        view.uid(), (int) view.spec().priority(), GracePeriod.of(PodRules.read(pod)));
  }

  private void next() {
    ShutdownPhase phase = phases.poll();
    current = phase;
    if (phase == null) {
      finish();
      return;
    }
    Duration elapsed = time.since(began);
    Duration grace = phase.graceAfter(elapsed);
    String which =
        "%s of priority %d and above".formatted(count(phase.pods().size()), phase.priority());
    progress.accept("Ending %s, %s at most.".formatted(which, seconds(grace)));
    set(
        loop.after(
            grace,
            () -> {
              progress.accept(
                  "The time of the pods of priority %d and above is over."
                      .formatted(phase.priority()));
              next();
            }));
    pods.end(phase.gracesAfter(elapsed), WHY, () -> later(() -> ended(phase, elapsed)));
  }

  private void ended(ShutdownPhase phase, Duration since) {
    if (!isOver && phase.equals(current)) {
      progress.accept(
          "%s ended in %s."
              .formatted(count(phase.pods().size()), seconds(time.since(began).minus(since))));
      next();
    }
  }

  private void finish() {
    if (!isOver) {
      cancel();
      then.run();
    }
  }

  /** Begins no further phase; what is being ended goes on to end. */
  void cancel() {
    isOver = true;
    set(null);
  }

  private void set(Loop.@Nullable Timer next) {
    if (timer != null) {
      timer.cancel();
    }
    timer = next;
  }

  private void later(Runnable task) {
    loop.after(Duration.ZERO, task);
  }

  static String count(int pods) {
    return pods == 1 ? "1 pod" : pods + " pods";
  }

  /** To a tenth of a second. */
  static String seconds(Duration duration) {
    BigDecimal tenths =
        BigDecimal.valueOf(duration.toMillis(), 3).setScale(1, RoundingMode.HALF_UP);
    return (tenths.signum() == 0 ? "0" : tenths.stripTrailingZeros().toPlainString()) + "s";
  }
}
