package dev.berth.serving.flowcontrol;

import dev.berth.policy.flowcontrol.DemandPeriod;
import dev.berth.policy.flowcontrol.FairQueues;
import dev.berth.policy.flowcontrol.Queuing;
import dev.berth.policy.flowcontrol.RetryAfter;
import dev.berth.policy.flowcontrol.SeatLimits;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A priority level: {@link FairQueues}, the threads that wait for its decisions, and the timer that
 * moves it on while somebody waits. One lock guards all; nothing blocks under it. When nobody
 * waits, a request costs it two short turns of the lock and no timer.
 */
final class PriorityLevel {
  private final Time time;
  private final Loop timers;
  private final ReentrantLock lock = new ReentrantLock();
  private final FairQueues<Turn> queues;
  private final RetryAfter retryAfter = new RetryAfter();

  private volatile PriorityLevelSpec spec;
  private volatile SeatLimits limits;
  private volatile int seats;
  private volatile DemandPeriod demand = new DemandPeriod(0, 0, 0, 0);

  /** Whether its object is gone, and it only waits for its last request to end. */
  private volatile boolean quiescing;

  private @Nullable Instant wakesAt;
  private Loop.@Nullable Timer wake;

  PriorityLevel(PriorityLevelSpec spec, SeatLimits limits, Time time, Loop timers) {
    this.spec = spec;
    this.limits = limits;
    this.seats = limits.initial();
    this.time = time;
    this.timers = timers;
    this.queues =
        new FairQueues<>(spec.queuing(), seats, time.monotonicNow(), PriorityLevel::decided);
  }

  /** How it went with a request. */
  sealed interface Outcome {
    record Runs() implements Outcome {}

    record Refused(String reason, long retryAfterSeconds) implements Outcome {}
  }

  private static final Outcome RUNS = new Outcome.Runs();
  private static final Optional<Outcome> RUNS_AT_ONCE = Optional.of(RUNS);

  /** Waits until the request may run, or is refused. */
  Outcome await(Turn turn) throws InterruptedException {
    int seatsWanted = turn.seats();
    Optional<Outcome> atOnce = locked(() -> arrive(turn));
    if (atOnce.isPresent()) {
      return atOnce.get();
    }
    turn.metrics.queued(seatsWanted);
    try {
      turn.decided.await();
    } catch (InterruptedException e) {
      withdraw(turn);
      throw e;
    } finally {
      turn.metrics.leftQueue(seatsWanted);
    }
    return locked(() -> turn.runs ? RUNS : refused("time-out"));
  }

  private Optional<Outcome> arrive(Turn turn) {
    return switch (queues.arrive(turn, time.monotonicNow())) {
      case RUNS -> RUNS_AT_ONCE;
      case CONCURRENCY_LIMIT -> Optional.of(refused("concurrency-limit"));
      case QUEUE_FULL -> Optional.of(refused("queue-full"));
      case WAITS -> {
        wakeInTime();
        yield Optional.empty();
      }
    };
  }

  private Outcome refused(String reason) {
    return new Outcome.Refused(reason, retryAfter.refused(time.monotonicNow()));
  }

  /** Its thread was interrupted: it neither waits nor runs. */
  private void withdraw(Turn turn) {
    locked(() -> {
      queues.abandon(turn, time.monotonicNow());
      queues.finish(turn, time.monotonicNow());
      return turn;
    });
  }

  /** Under the lock, by whichever thread caused it. */
  private static void decided(Turn turn, boolean runs) {
    turn.runs = runs;
    turn.decided.countDown();
  }

  void finish(Turn turn) {
    lock.lock();
    try {
      queues.finish(turn, time.monotonicNow());
      wakeInTime();
    } finally {
      lock.unlock();
    }
  }

  private void wakeInTime() {
    Optional<Instant> next = queues.nextEvent();
    if (next.isEmpty() || (wakesAt != null && !next.get().isBefore(wakesAt))) {
      return;
    }
    if (wake != null) {
      wake.cancel();
    }
    wakesAt = next.get();
    Duration delay = Duration.between(time.monotonicNow(), wakesAt);
    wake = timers.after(delay.isNegative() ? Duration.ZERO : delay, this::wakeUp);
  }

  private void wakeUp() {
    lock.lock();
    try {
      wakesAt = null;
      wake = null;
      queues.advance(time.monotonicNow());
      wakeInTime();
    } finally {
      lock.unlock();
    }
  }

  /** Takes seats back from requests that have run for too long. */
  void reclaim(Duration longest) {
    lock.lock();
    try {
      queues.reclaim(longest, time.monotonicNow());
    } finally {
      lock.unlock();
    }
  }

  /** Ends the period over which demand is measured, and says what it was. */
  DemandPeriod endPeriod() {
    demand = locked(() -> queues.endPeriod(time.monotonicNow()));
    return demand;
  }

  /** The object says something else now, or the server's seats are divided in another way. */
  void configure(PriorityLevelSpec newSpec, SeatLimits newLimits) {
    spec = newSpec;
    limits = newLimits;
    setSeats(seats);
  }

  void setSeats(int number) {
    lock.lock();
    try {
      seats = number;
      queues.configure(spec.queuing(), number, time.monotonicNow());
      wakeInTime();
    } finally {
      lock.unlock();
    }
  }

  void setQuiescing(boolean gone) {
    quiescing = gone;
  }

  boolean isQuiescing() {
    return quiescing;
  }

  String name() {
    return spec.name();
  }

  PriorityLevelSpec spec() {
    return spec;
  }

  SeatLimits limits() {
    return limits;
  }

  int seats() {
    return seats;
  }

  DemandPeriod demand() {
    return demand;
  }

  boolean isQueuing() {
    return spec.queuing() instanceof Queuing.Queues;
  }

  boolean isIdle() {
    return locked(queues::isIdle);
  }

  FairQueues.Figures figures() {
    return locked(queues::figures);
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }
}
