package dev.berth.sim.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.Resources;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.CountedPod;
import dev.berth.sim.StallingApi;
import dev.berth.sim.history.History;
import dev.berth.sim.history.Occurrences;
import dev.berth.time.Loop;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/**
 * Several who evict at once, a controller that crashes and comes back, and a server that fails now
 * and then, and at times tells late what became of pods. Pods stop being healthy by evictions
 * alone, so after each write as many must be healthy as the budget wants; in the end the budget is
 * counted right, and evictions went on all the while.
 */
class BudgetIsNeverExceededTest {
  private static final Occurrences EVICTIONS = new Occurrences("evictions");
  private static final int STEPS = 120;
  private static final int REPLICAS = 8;
  private static final int MUST_STAY = 6;

  @AfterAll
  static void somethingWasShown() {
    EVICTIONS.assertSome();
  }

  @SeededTest(fixed = 40, fresh = 20)
  void evictionsTakeNoMoreThanTheBudgetAllows(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final BudgetFixture web = new BudgetFixture(cluster);
    private final JsonObject owner = web.managed(Resources.REPLICA_SETS, "web", REPLICAS);
    private final List<Loop> evictors = new ArrayList<>();
    private final List<StallingApi> stalling = new ArrayList<>();
    private int created;
    private int evicted;

    Run(long seed) {
      super(seed, STEPS, Duration.ofMinutes(5));
      for (int i = 0; i < REPLICAS; i++) {
        web.ready("p" + created++, owner);
      }
      web.budget(
          switch (random.nextInt(3)) {
            case 0 -> "'minAvailable':" + MUST_STAY;
            case 1 -> "'maxUnavailable':" + (REPLICAS - MUST_STAY);
            default -> "'maxUnavailable':'25%'";
          });
      watch(Resources.PODS, _ -> checkInvariant());
      cluster.run(
          "disruption", () -> DisruptionController.start(parts(DisruptionController.ACCOUNT)));
      for (int i = 0; i < 3; i++) {
        evictors.add(cluster.time().start("evictor" + i));
      }
      step(3, "evict pods", () -> evictors.forEach(this::evictSome));
      step(2, "evicted pods end", this::finishSome);
      step(1, "replace pods", this::replace);
      step(1, "pods become ready", this::readySome);
      step(1, "restart disruption", () -> cluster.restart("disruption"));
      step(2, "watches stall", () -> stalling.forEach(StallingApi::stall));
      step(1, "watches go on", () -> stalling.forEach(StallingApi::goOn));
      passes(1, Duration.ofMinutes(3));
      passes(1, Duration.ofSeconds(2));
    }

    @Override
    protected Api between(Api server) {
      StallingApi late = new StallingApi(server);
      stalling.add(late);
      return late;
    }

    private List<JsonObject> all() {
      return cluster.list(Resources.PODS);
    }

    private void evictSome(Loop evictor) {
      Api api = unreliable(cluster.admin());
      for (JsonObject pod : all()) {
        if (random.nextInt(3) == 0) {
          String name = ObjectName.of(pod).name();
          evictor.call(
              () -> Evictions.evict(api, name),
              result -> {
                if (result.isDone()) {
                  evicted++;
                }
              });
        }
      }
    }

    private void finishSome() {
      for (JsonObject pod : all()) {
        if (CountedPod.read(pod).terminating() && random.nextBoolean()) {
          cluster.delete(Resources.PODS, ObjectName.of(pod));
        }
      }
    }

    private void replace() {
      long staying = all().stream().filter(pod -> !CountedPod.read(pod).terminating()).count();
      for (long i = staying; i < REPLICAS; i++) {
        web.create("p" + created++, owner);
      }
    }

    private void readySome() {
      for (JsonObject pod : all()) {
        CountedPod seen = CountedPod.read(pod);
        if (!seen.ready() && !seen.terminating() && random.nextInt(3) > 0) {
          web.ready(seen.name(), true);
        }
      }
    }

    /** Also after every write of a pod. */
    @Override
    protected void checkInvariant() {
      assertThat(healthy()).as("healthy pods").isGreaterThanOrEqualTo(MUST_STAY);
    }

    private long healthy() {
      return all().stream()
          .map(CountedPod::read)
          .filter(pod -> pod.ready() && !pod.terminating())
          .count();
    }

    @Override
    protected void calmDown() {
      stalling.forEach(StallingApi::goOn);
    }

    @Override
    protected void checkEnd() {
      EVICTIONS.add(evicted);
      assertThat(web.counts())
          .startsWith("allowed %d, healthy %d, desired 6".formatted(healthy() - 6, healthy()));
    }
  }
}
