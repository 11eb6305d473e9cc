package dev.berth.sim.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One history of a cluster, a pure function of its seed. First come random steps: objects change,
 * components crash, and the server loses requests and answers, refuses, and ends its watches; an
 * invariant must hold after each step. Then all is calm: the server answers, time passes, and what
 * is expected of the controllers must have come about.
 *
 * <p>A test says which components run, which steps there are, and what must hold. Whatever fails
 * tells the steps that led there.
 */
public abstract class History implements AutoCloseable {
  /** How many of the latest steps a failure tells. */
  private static final int TOLD = 15;

  private final int steps;
  private final Duration calm;
  private final List<Step> choices = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final List<FaultyApi> unreliable = new ArrayList<>();
  private final List<AutoCloseable> parts = new ArrayList<>();
  private final StringBuilder written = new StringBuilder();
  private boolean isCalm;

  protected final VirtualCluster cluster;

  /** What decides about the steps and within them. */
  protected final RandomGenerator random;

  private record Step(String name, Runnable action) {}

  /**
   * @param steps how many random steps there are
   * @param calm how long the server answers well before the end is looked at
   */
  protected History(long seed, int steps, Duration calm) {
    this.steps = steps;
    this.calm = calm;
    cluster = new VirtualCluster(seed);
    random = cluster.time().random("history");
  }

  /** Runs one history from its beginning to its end. */
  public static void run(Supplier<? extends History> start) {
    try (History history = start.get()) {
      history.run();
    }
  }

  /** Runs a history twice, which must be the same: what {@link #record} wrote down is compared. */
  public static void runTwice(Supplier<? extends History> start) {
    List<String> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (History history = start.get()) {
        history.run();
        assertThat(history.written).as("what was written down").isNotEmpty();
        both.add(history.happened + "\n" + history.written);
      }
    }
    // Not compared by AssertJ, which would print megabytes.
    assertThat(both.getFirst().equals(both.getLast())).as("the same seed, once more").isTrue();
  }

  /** Adds something that may happen, as often as its weight says. */
  protected final void step(int weight, String name, Runnable action) {
    for (int i = 0; i < weight; i++) {
      choices.add(new Step(name, action));
    }
  }

  /** A component ends as by a crash, and another takes its place at once or after a while. */
  protected final void crashes(int weight, String component) {
    step(weight, "restart " + component, () -> cluster.restart(component));
    step(
        weight,
        "crash " + component,
        () -> {
          cluster.crash(component);
          cluster.advance(upTo(Duration.ofMinutes(1)));
          cluster.restart(component);
        });
  }

  /** Time passes. */
  protected final void passes(int weight, Duration atMost) {
    step(weight, "time passes", () -> cluster.advance(upTo(atMost)));
  }

  /** A server that fails now and then, until all is calm. */
  protected final Api unreliable(Api server) {
    FaultyApi api = new FaultyApi(server, cluster.time().random("faults " + unreliable.size()));
    unreliable.add(api);
    if (isCalm) {
      api.heal();
    }
    return api;
  }

  /** What a controller is made of whose server is unreliable. */
  protected final ControllerParts parts(String account) {
    ControllerParts parts = cluster.parts(account);
    // What goes wrong is no warning here: it is meant to.
    return new ControllerParts(
        unreliable(between(parts.api())), parts.time(), parts.metrics(), _ -> {});
  }

  /**
   * What else is between a controller and the server: a history may look at, or delay, requests.
   */
  protected Api between(Api server) {
    return server;
  }

  /** Tells each change of a resource's objects, from now on, before anything else happens. */
  protected final void watch(GroupVersionResource resource, Consumer<ApiWatch.Event> change) {
    List<ApiWatch> self = new ArrayList<>();
    Runnable poll = () -> self.forEach(watch -> takeAll(watch, change));
    self.add(cluster.admin().watch(ListRequest.of(resource).watchAfter(cluster.revision()), poll));
    closing(self.getFirst());
    // Only who has taken everything is told of the next change.
    poll.run();
  }

  private static void takeAll(ApiWatch watch, Consumer<ApiWatch.Event> change) {
    while (watch.poll(1_000) instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)
        && !events.isEmpty()) {
      events.forEach(change);
    }
  }

  /** Writes down what happens to a resource's objects, to be compared with another run. */
  protected final void record(GroupVersionResource resource) {
    watch(
        resource,
        event ->
            written
                .append(cluster.time().now())
                .append(event.change())
                .append(event.object())
                .append('\n'));
  }

  /** Something to be closed at the end, before the cluster. */
  protected final <T extends AutoCloseable> T closing(T part) {
    parts.add(part);
    return part;
  }

  protected final Duration upTo(Duration atMost) {
    return Duration.ofMillis(random.nextInt(Math.toIntExact(atMost.toMillis())));
  }

  /** One of them, if there are any. */
  protected final <T> Optional<T> any(List<T> all) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  protected final Optional<JsonObject> anyPod() {
    return any(cluster.list(Resources.PODS));
  }

  /** What comes after each step: usually the next one, with much still under way. */
  protected void pause() {
    if (random.nextInt(3) == 0) {
      cluster.settle();
    }
  }

  /** Must hold after each step, and in the end. */
  protected void checkInvariant() {}

  /** Mends what the history itself has broken. */
  protected void calmDown() {}

  /** What must have come about after the calm. */
  protected abstract void checkEnd();

  /** Whether all random steps are over. */
  protected final boolean isCalm() {
    return isCalm;
  }

  /** How many random steps are left, counting the present one. */
  protected final int stepsLeft() {
    return isCalm ? 0 : steps - happened.size() + 1;
  }

  private void run() {
    try {
      for (int i = 0; i < steps; i++) {
        Step step = choices.get(random.nextInt(choices.size()));
        happened.add(cluster.time().now() + " " + step.name());
        step.action().run();
        pause();
        checkInvariant();
      }
      isCalm = true;
      happened.add(cluster.time().now() + " calm");
      unreliable.forEach(FaultyApi::heal);
      calmDown();
      cluster.advance(calm);
      checkInvariant();
      checkEnd();
    } catch (AssertionError | RuntimeException e) {
      List<String> latest = happened.subList(Math.max(0, happened.size() - TOLD), happened.size());
      throw new AssertionError(
          "%s%nAt %s, after %d steps:%n  %s"
              .formatted(
                  e.getMessage(),
                  cluster.time().now(),
                  happened.size(),
                  String.join("\n  ", latest)),
          e);
    }
  }

  @Override
  public final void close() {
    for (AutoCloseable part : parts.reversed()) {
      try {
        part.close();
      } catch (Exception e) {
        throw new AssertionError("closing threw", e);
      }
    }
    cluster.close();
  }
}
