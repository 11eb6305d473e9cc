package dev.berth.sim.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.controllers.disruption.Disruption;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.CountedPod;
import dev.berth.sim.FaultyApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several who evict at once, a controller that crashes and comes back, and a server that fails now
 * and then, and at times tells late what became of pods. Pods stop being healthy by evictions
 * alone, so after each write as many must be healthy as the budget wants; in the end the budget is
 * counted right, and evictions went on all the while.
 */
class BudgetIsNeverExceededTest {
  private static final int STEPS = 120;
  private static final int REPLICAS = 8;
  private static final int MUST_STAY = 6;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void evictionsTakeNoMoreThanTheBudgetAllows(long seed) {
    try (Run run = new Run(seed)) {
      for (int step = 0; step < STEPS; step++) {
        run.step();
      }
      run.calmDown();
    }
  }

  /** One history. */
  private static final class Run implements AutoCloseable {
    private final VirtualCluster cluster;
    private final Workload web;
    private final Random random;
    private final List<Loop> evictors = new ArrayList<>();
    private final List<FaultyApi> apis = new ArrayList<>();
    private final List<StallingApi> stalling = new ArrayList<>();
    private final JsonObject owner;
    private final ApiWatch pods;
    private int created;
    private int evicted;
    private boolean watching;

    Run(long seed) {
      cluster = new VirtualCluster(seed);
      web = new Workload(cluster);
      random = new Random(seed);
      owner = web.managed(Resources.REPLICA_SETS, "web", REPLICAS);
      for (int i = 0; i < REPLICAS; i++) {
        web.ready("p" + created++, owner);
      }
      web.budget(
          switch (random.nextInt(3)) {
            case 0 -> "'minAvailable':" + MUST_STAY;
            case 1 -> "'maxUnavailable':" + (REPLICAS - MUST_STAY);
            default -> "'maxUnavailable':'25%'";
          });
      pods =
          cluster
              .admin()
              .watch(ListRequest.of(Resources.PODS).watchAfter(cluster.revision()), this::check);
      check();
      cluster.run("disruption", () -> Disruption.start(parts()));
      for (int i = 0; i < 3; i++) {
        evictors.add(cluster.time().start("evictor" + i));
      }
      watching = true;
    }

    private FaultyApi faulty(Api api) {
      FaultyApi faulty = new FaultyApi(api, new Random(random.nextLong()));
      apis.add(faulty);
      return faulty;
    }

    private ControllerParts parts() {
      ControllerParts real = cluster.parts(Disruption.ACCOUNT);
      StallingApi late = new StallingApi(faulty(real.api()));
      stalling.add(late);
      return new ControllerParts(late, real.time(), real.metrics(), real.instance(), _ -> {});
    }

    void step() {
      switch (random.nextInt(13)) {
        case 0, 1, 2 -> evictors.forEach(this::evictSome);
        case 3, 4 -> finishSome();
        case 5 -> replace();
        case 6 -> readySome();
        case 7 -> {
          cluster.crash("disruption");
          cluster.restart("disruption");
        }
        case 8 -> cluster.advance(Duration.ofSeconds(random.nextInt(180)));
        case 9, 10 -> stalling.forEach(StallingApi::stall);
        case 11 -> stalling.forEach(StallingApi::goOn);
        default -> cluster.advance(Duration.ofMillis(random.nextInt(2_000)));
      }
      if (random.nextInt(3) == 0) {
        cluster.settle();
      }
    }

    private List<JsonObject> all() {
      return cluster.list(Resources.PODS);
    }

    private void evictSome(Loop evictor) {
      FaultyApi api = faulty(cluster.admin());
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

    /** Run after every write of a pod. */
    private void check() {
      // Only who has taken everything is told of the next change.
      while (pods.poll(1_000) instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)
          && !events.isEmpty()) {
        assertThat(events).isNotEmpty();
      }
      if (watching) {
        assertThat(healthy())
            .as("seed %d: healthy pods", cluster.time().seed())
            .isGreaterThanOrEqualTo(MUST_STAY);
      }
    }

    private long healthy() {
      return all().stream()
          .map(CountedPod::read)
          .filter(pod -> pod.ready() && !pod.terminating())
          .count();
    }

    /** The server answers again; then the budget is counted right. */
    void calmDown() {
      assertThat(evicted).as("seed %d: evictions", cluster.time().seed()).isGreaterThan(0);
      apis.forEach(FaultyApi::heal);
      stalling.forEach(StallingApi::goOn);
      cluster.advance(Duration.ofMinutes(5));
      assertThat(web.counts())
          .as("seed %d", cluster.time().seed())
          .startsWith("allowed %d, healthy %d, desired 6".formatted(healthy() - 6, healthy()));
    }

    @Override
    public void close() {
      pods.close();
      cluster.close();
    }
  }
}
