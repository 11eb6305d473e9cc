package dev.berth.serving.flowcontrol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.Action;
import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.policy.flowcontrol.FairQueues;
import dev.berth.policy.flowcontrol.SeatBorrowing;
import dev.berth.policy.flowcontrol.SeatLimits;
import dev.berth.policy.flowcontrol.Work;
import dev.berth.registry.Registry;
import dev.berth.serving.request.RequestKinds;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * API priority and fairness: a request belongs to the first flow schema that matches it, waits for
 * its turn in that schema's priority level, and is refused if there is none in time.
 *
 * <p>Threads: requests wait on their own. What schemas and levels there are is replaced as a whole,
 * by one thread at a time; a request goes on in the level that it began in, even if that is gone.
 */
public final class PriorityAndFairness implements FlowControl, AutoCloseable {
  /** How often seats are lent anew. */
  static final Duration BORROWING_PERIOD = Duration.ofSeconds(10);

  /** How long anybody may wait, whatever their request's time limit is. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  /** What a watch may wait, which has no time limit. */
  private static final Duration WATCH_WAIT = Duration.ofSeconds(15);

  private static final int WAIT_PART = 4;

  /** How long a request keeps its seats; by then it has been answered, if only for being late. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(1);

  private static final String LEVEL_UID = "X-Kubernetes-PF-PriorityLevel-UID";
  private static final String SCHEMA_UID = "X-Kubernetes-PF-FlowSchema-UID";

  private final Time time;
  private final int serverSeats;
  private final Loop timers;
  private final FlowMetrics metrics;
  private final WatchCounts watches = new WatchCounts();
  private final WorkEstimator estimator;

  /** By name; also those whose objects are gone and that still have requests. */
  private volatile Map<String, PriorityLevel> levels = Map.of();

  private volatile List<Flow> flows = List.of();

  /** A schema and all that its requests need. */
  private record Flow(
      FlowSchema schema,
      PriorityLevel level,
      FlowMetrics.OfSchema metrics,
      Map<String, String> headers) {}

  public PriorityAndFairness(FlowControlSettings settings, Registry registry, Metrics shown) {
    this.time = registry.time();
    this.serverSeats = settings.serverSeats();
    this.timers = time.start("flow-control-timers");
    this.estimator = new WorkEstimator(new StoredSizes(registry), watches);
    this.metrics = new FlowMetrics(shown);
    metrics.show(() -> levels.values());
    configure(List.of(), List.of());
  }

  @Override
  public Admission admit(FlowRequest request) throws InterruptedException {
    Action action = request.action();
    if (RequestKinds.isLongRunning(action)) {
      return new Admission.Admitted(Seat.FREE, Map.of());
    }
    Flow flow = classify(request.user(), action);
    PriorityLevel level = flow.level;
    int most = level.spec().maxSeats(level.limits().nominal());
    Instant now = time.monotonicNow();
    Work work = estimator.estimate(action, request.query(), most, now);
    long hash = level.isQueuing() ? flow.schema.hash(flow.schema.flow(request.user(), action)) : 0;
    Turn turn = new Turn(work, hash, request.received().plus(waitLimit(request)), flow.metrics);
    return switch (level.await(turn)) {
      case PriorityLevel.Outcome.Runs _ -> {
        Instant began = time.monotonicNow();
        flow.metrics.began(Duration.between(now, began), turn.seats());
        yield new Admission.Admitted(seat(level, turn, action, began), flow.headers);
      }
      case PriorityLevel.Outcome.Refused(String reason, long seconds) -> {
        flow.metrics.refused(time.since(now), reason);
        yield new Admission.Rejected(seconds, flow.headers);
      }
    };
  }

  private static Duration waitLimit(FlowRequest request) {
    if (RequestKinds.isWatch(request.action())) {
      return WATCH_WAIT;
    }
    Duration part = request.timeLimit().dividedBy(WAIT_PART);
    return part.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : part;
  }

  private Flow classify(User user, Action action) {
    List<Flow> all = flows;
    for (Flow flow : all) {
      if (flow.schema.matches(user, action)) {
        return flow;
      }
    }
    // The last one is for everybody, and also for a user in neither of the groups that all are in.
    return all.getLast();
  }

  private Seat seat(PriorityLevel level, Turn turn, Action action, Instant began) {
    boolean watch = RequestKinds.isWatch(action);
    Runnable forget =
        watch && action instanceof Action.OnResource on ? watches.begin(on) : () -> {};
    AtomicBoolean held = new AtomicBoolean(true);
    AtomicBoolean open = new AtomicBoolean(true);
    return new Seat() {
      @Override
      public void initialized() {
        if (held.getAndSet(false)) {
          level.finish(turn);
          turn.metrics.ended(time.since(began), turn.seats(), watch ? "watch" : "regular");
        }
      }

      @Override
      public void close() {
        initialized();
        if (open.getAndSet(false)) {
          forget.run();
        }
      }
    };
  }

  @Override
  public Runnable watching(Action action) {
    return action instanceof Action.OnResource on ? watches.begin(on) : () -> {};
  }

  /**
   * Replaces what is configured. What the server cannot be without is added where it is missing.
   *
   * @return the names of the levels that can be used
   */
  synchronized Collection<String> configure(
      List<JsonObject> levelObjects, List<JsonObject> schemaObjects) {
    Map<String, PriorityLevelSpec> specs = new TreeMap<>();
    readLevels(BootstrapFlowControl.mandatoryLevels(), specs);
    readLevels(levelObjects, specs);
    levels = divided(specs);
    Map<String, FlowSchema> schemas = new TreeMap<>();
    readSchemas(BootstrapFlowControl.mandatorySchemas(), specs, schemas);
    readSchemas(schemaObjects, specs, schemas);
    List<Flow> ordered = new ArrayList<>();
    schemas.values().stream()
        .sorted(FlowSchema.ORDER)
        .forEach(schema ->
            ordered.add(flow(schema, Objects.requireNonNull(levels.get(schema.level())))));
    // Whatever else has this precedence, the one for everybody stays the last.
    ordered.stream()
        .filter(flow -> flow.schema.name().equals(BootstrapFlowControl.CATCH_ALL))
        .findFirst()
        .ifPresent(last -> {
          ordered.remove(last);
          ordered.add(last);
        });
    flows = List.copyOf(ordered);
    borrow();
    return List.copyOf(specs.keySet());
  }

  private static void readLevels(List<JsonObject> objects, Map<String, PriorityLevelSpec> specs) {
    for (JsonObject object : objects) {
      PriorityLevelSpec.read(object).ifPresent(spec -> specs.put(spec.name(), spec));
    }
  }

  private static void readSchemas(
      List<JsonObject> objects,
      Map<String, PriorityLevelSpec> levels,
      Map<String, FlowSchema> schemas) {
    for (JsonObject object : objects) {
      FlowSchema schema = FlowSchema.read(object);
      if (levels.containsKey(schema.level())) {
        schemas.put(schema.name(), schema);
      }
    }
  }

  private Flow flow(FlowSchema schema, PriorityLevel level) {
    return new Flow(
        schema,
        level,
        metrics.of(level.name(), schema.name()),
        Map.of(LEVEL_UID, level.spec().uid(), SCHEMA_UID, schema.uid()));
  }

  /** All levels with their part of the seats; those that are gone keep theirs until they idle. */
  private Map<String, PriorityLevel> divided(Map<String, PriorityLevelSpec> specs) {
    Map<String, PriorityLevelSpec> all = new TreeMap<>(specs);
    levels.forEach((name, level) -> {
      if (!specs.containsKey(name) && !level.isIdle()) {
        all.put(name, level.spec());
      }
    });
    long shares = all.values().stream().mapToLong(spec -> spec.shares().nominalShares()).sum();
    Map<String, PriorityLevel> next = new TreeMap<>();
    all.forEach((name, spec) -> {
      SeatLimits limits = SeatLimits.of(spec.shares(), shares, serverSeats);
      PriorityLevel level = levels.get(name);
      if (level == null) {
        level = new PriorityLevel(spec, limits, time, timers);
      } else {
        level.configure(spec, limits);
      }
      level.setQuiescing(!specs.containsKey(name));
      next.put(name, level);
    });
    return next;
  }

  /** Lends seats for the next period, and takes back those of requests that run for too long. */
  synchronized void adjust() {
    levels.values().forEach(level -> level.reclaim(LONGEST_RUN));
    if (levels.values().stream().anyMatch(level -> level.isQuiescing() && level.isIdle())) {
      Map<String, PriorityLevelSpec> wanted = new TreeMap<>();
      levels.forEach((name, level) -> {
        if (!level.isQuiescing()) {
          wanted.put(name, level.spec());
        }
      });
      levels = divided(wanted);
    }
    borrow();
  }

  private void borrow() {
    List<PriorityLevel> all = List.copyOf(levels.values());
    List<Integer> seats =
        SeatBorrowing.decide(
            all.stream()
                .map(level ->
                    new SeatBorrowing.Level(
                        level.spec().isExempt(), level.limits(), level.endPeriod(), level.seats()))
                .toList());
    for (int i = 0; i < all.size(); i++) {
      all.get(i).setSeats(seats.get(i));
    }
  }

  /** The page that says how each level is; upstream's columns. */
  public byte[] dumpPriorityLevels() {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "PriorityLevelName",
        "ActiveQueues",
        "IsIdle",
        "IsQuiescing",
        "WaitingRequests",
        "ExecutingRequests",
        "DispatchedRequests",
        "RejectedRequests",
        "TimedoutRequests",
        "CancelledRequests");
    levels.forEach((name, level) -> {
      FairQueues.Figures figures = level.figures();
      line(
          text,
          name,
          figures.activeQueues(),
          figures.waiting() + figures.running() == 0,
          level.isQuiescing(),
          figures.waiting(),
          figures.running(),
          figures.dispatched(),
          figures.rejected(),
          figures.timedOut(),
          0);
    });
    return text.toString().getBytes(UTF_8);
  }

  private static void line(StringBuilder text, Object... cells) {
    for (int i = 0; i < cells.length; i++) {
      String comma = i < cells.length - 1 ? "," : "";
      text.append(String.format("%-20s", cells[i] + comma));
    }
    text.setLength(text.toString().stripTrailing().length());
    text.append('\n');
  }

  /** The level of a name, for tests. */
  Optional<PriorityLevel> level(String name) {
    return Optional.ofNullable(levels.get(name));
  }

  @Override
  public void close() {
    timers.close();
  }
}
