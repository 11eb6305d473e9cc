package dev.berth.sim.fuzz;

import dev.berth.sim.fuzz.Referee.Violation;
import dev.berth.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Plays one history: everything is begun, the steps happen, all faults end, and everything must
 * converge. A pure function of the seed and the steps.
 */
final class FuzzRun {
  /** How long it may take until everything is as it should be, back-offs and all. */
  private static final Duration CALM = Duration.ofMinutes(40);

  private static final Duration LOOK_EVERY = Duration.ofSeconds(20);

  /** How long nobody may have anything to do once all is as it should be. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final long seed;
  private final Duration span;
  private final List<FuzzStep> steps;
  private final FuzzCluster cluster;
  private final FuzzDriver driver;

  private FuzzRun(
      long seed, Duration span, List<FuzzStep> steps, FuzzCluster cluster, FuzzDriver driver) {
    this.seed = seed;
    this.span = span;
    this.steps = steps;
    this.cluster = cluster;
    this.driver = driver;
  }

  static FuzzOutcome play(long seed, FuzzSettings settings, List<FuzzStep> steps, FuzzSeams seams) {
    try (FuzzCluster cluster = new FuzzCluster(seed, settings, seams);
        FuzzDriver driver = new FuzzDriver(cluster)) {
      FuzzRun run = new FuzzRun(seed, settings.span(), steps, cluster, driver);
      Optional<FuzzFailure> failure = run.play();
      return new FuzzOutcome(
          failure,
          Duration.between(VirtualTime.EPOCH, cluster.time().monotonicNow()),
          cluster.referee().changes(),
          cluster.referee().digest());
    }
  }

  private Optional<FuzzFailure> play() {
    try {
      return history();
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(
          failure(
              new Violation(
                  "no component throws",
                  cluster.time().monotonicNow().toString(),
                  FuzzCluster.trace(e)),
              steps));
    }
  }

  private Optional<FuzzFailure> history() {
    cluster.time().advance(Duration.ofSeconds(30));
    driver.begin();
    cluster.time().advance(FuzzWorkload.BEGINS_WITHIN);
    Instant began = cluster.time().monotonicNow();
    for (int i = 0; i < steps.size(); i++) {
      advanceTo(began.plus(steps.get(i).at()));
      if (cluster.referee().violation().isPresent()) {
        return found(steps.subList(0, i));
      }
      driver.perform(steps.get(i).action());
    }
    // As long as the whole history, also where steps are left out: what failed then still does.
    advanceTo(began.plus(span));
    if (cluster.referee().violation().isEmpty()) {
      driver.calmDown();
      converge();
    }
    return found(steps);
  }

  /** Lets time pass, unless something is wrong before. */
  private void advanceTo(Instant target) {
    while (cluster.time().monotonicNow().isBefore(target)
        && cluster.referee().violation().isEmpty()) {
      Duration left = Duration.between(cluster.time().monotonicNow(), target);
      cluster.time().advance(left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY);
    }
  }

  private void converge() {
    Optional<String> left = Optional.of("everything");
    for (Duration waited = Duration.ZERO;
        left.isPresent() && waited.compareTo(CALM) < 0 && cluster.referee().violation().isEmpty();
        waited = waited.plus(LOOK_EVERY)) {
      cluster.time().advance(LOOK_EVERY);
      left = cluster.referee().unconverged();
    }
    left.ifPresent(cluster.referee()::neverConverged);
    cluster.time().advance(QUIET);
    cluster.referee().quiet();
    cluster.compareCaches();
    cluster.referee().compare(cluster.store());
  }

  private Optional<FuzzFailure> found(List<FuzzStep> happened) {
    return cluster.referee().violation().map(violation -> failure(violation, happened));
  }

  private FuzzFailure failure(Violation violation, List<FuzzStep> happened) {
    return new FuzzFailure(seed, violation.invariant(), violation.at(), violation.what(), happened);
  }
}
