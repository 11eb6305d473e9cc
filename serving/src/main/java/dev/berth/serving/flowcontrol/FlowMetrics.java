package dev.berth.serving.flowcontrol;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.policy.flowcontrol.DemandPeriod;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What is counted of flow control, under upstream's names. */
final class FlowMetrics {
  private static final String PREFIX = "apiserver_flowcontrol_";
  private static final String LEVEL = "priority_level";
  private static final String SCHEMA = "flow_schema";
  private static final List<Double> SECONDS =
      List.of(0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0);

  private final Metrics metrics;
  private final Family<Counter> dispatched;
  private final Family<Counter> rejected;
  private final Family<Gauge> waiting;
  private final Family<Gauge> waitingSeats;
  private final Family<Gauge> running;
  private final Family<Gauge> runningSeats;
  private final Family<Histogram> waited;
  private final Family<Histogram> ran;

  FlowMetrics(Metrics metrics) {
    this.metrics = metrics;
    dispatched =
        metrics.counters(
            PREFIX + "dispatched_requests_total", "Requests that were let in.", LEVEL, SCHEMA);
    rejected =
        metrics.counters(
            PREFIX + "rejected_requests_total", "Requests refused.", LEVEL, SCHEMA, "reason");
    waiting =
        metrics.gauges(
            PREFIX + "current_inqueue_requests", "Requests that wait in queues.", LEVEL, SCHEMA);
    waitingSeats =
        metrics.gauges(
            PREFIX + "current_inqueue_seats", "Seats that requests wait for.", LEVEL, SCHEMA);
    running =
        metrics.gauges(
            PREFIX + "current_executing_requests",
            "Requests that run; watches until they have sent what there was.",
            LEVEL,
            SCHEMA);
    runningSeats =
        metrics.gauges(
            PREFIX + "current_executing_seats", "Seats of requests that run.", LEVEL, SCHEMA);
    waited =
        metrics.histograms(
            PREFIX + "request_wait_duration_seconds",
            "How long requests waited in queues.",
            SECONDS,
            LEVEL,
            SCHEMA,
            "execute");
    ran =
        metrics.histograms(
            PREFIX + "request_execution_seconds",
            "How long requests ran; watches until they have sent what there was.",
            SECONDS,
            LEVEL,
            SCHEMA,
            "type");
  }

  /** Figures of levels that are looked up when somebody wants to see them. */
  void show(Supplier<Collection<PriorityLevel>> levels) {
    show("nominal_limit_seats", "Seats by a level's shares.", levels, l -> l.limits().nominal());
    show("lower_limit_seats", "Seats that are never lent.", levels, l -> l.limits().lowest());
    show("upper_limit_seats", "Seats with all borrowed.", levels, l -> l.limits().highest());
    show("current_limit_seats", "Seats that a level has now.", levels, PriorityLevel::seats);
    demand("demand_seats_high_watermark", levels, DemandPeriod::highWatermark);
    demand("demand_seats_average", levels, DemandPeriod::average);
    demand("demand_seats_stdev", levels, DemandPeriod::deviation);
    demand("demand_seats_smoothed", levels, DemandPeriod::smoothed);
  }

  private void demand(
      String name,
      Supplier<Collection<PriorityLevel>> levels,
      ToDoubleFunction<DemandPeriod> figure) {
    String help = "Seats in use or waited for, over the last period.";
    show(name, help, levels, level -> figure.applyAsDouble(level.demand()));
  }

  private void show(
      String name,
      String help,
      Supplier<Collection<PriorityLevel>> levels,
      ToDoubleFunction<PriorityLevel> figure) {
    metrics.lookedUp(
        PREFIX + name,
        help,
        List.of(LEVEL),
        each ->
            levels
                .get()
                .forEach(level -> each.accept(List.of(level.name()), figure.applyAsDouble(level))));
  }

  /** What is counted of the requests of one flow schema. */
  OfSchema of(String level, String schema) {
    return new OfSchema(level, schema);
  }

  /** The metrics of one flow schema, looked up once. */
  final class OfSchema {
    private final String level;
    private final String schema;
    private final Counter dispatches;
    private final Gauge inQueue;
    private final Gauge seatsInQueue;
    private final Gauge executing;
    private final Gauge seatsExecuting;
    private final Histogram waitedAndRan;
    private final Histogram waitedInVain;

    private OfSchema(String level, String schema) {
      this.level = level;
      this.schema = schema;
      dispatches = dispatched.with(level, schema);
      inQueue = waiting.with(level, schema);
      seatsInQueue = waitingSeats.with(level, schema);
      executing = running.with(level, schema);
      seatsExecuting = runningSeats.with(level, schema);
      waitedAndRan = waited.with(level, schema, "true");
      waitedInVain = waited.with(level, schema, "false");
    }

    void queued(int seats) {
      inQueue.increment();
      seatsInQueue.add(seats);
    }

    void leftQueue(int seats) {
      inQueue.decrement();
      seatsInQueue.add(-seats);
    }

    void began(Duration wait, int seats) {
      waitedAndRan.observe(wait);
      dispatches.increment();
      executing.increment();
      seatsExecuting.add(seats);
    }

    void ended(Duration took, int seats, String type) {
      executing.decrement();
      seatsExecuting.add(-seats);
      ran.with(level, schema, type).observe(took);
    }

    void refused(Duration wait, String reason) {
      waitedInVain.observe(wait);
      rejected.with(level, schema, reason).increment();
    }
  }
}
