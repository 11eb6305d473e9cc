package dev.berth.sim.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.component.ComponentStatus;
import dev.berth.component.HealthCheck;
import dev.berth.component.HealthEndpoints;
import dev.berth.controllers.ControllerName;
import dev.berth.metrics.MetricsText;
import dev.berth.time.LoopFailure;
import dev.berth.time.fixture.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each loop of each component throws at random moments while the cluster has work to do: the
 * failure is counted and shown, the component comes back, and in the end the cluster is as it is
 * without failures.
 */
class EveryComponentRecoversTest {
  private static final Duration STEP = Duration.ofMillis(500);

  /** Long enough for the longest back-off, the cron job's next run, and what expires. */
  private static final Duration CALM = Duration.ofMinutes(12);

  private static final int STEPS = 140;
  private static final int BEGIN = 4;
  private static final int GO_ON = 30;
  private static final int MOST_FAILURES = 4;

  /** How a cluster ends up in which nothing fails, and which loops there are. */
  private static final class Undisturbed {
    static final Map<String, Integer> LOOPS = new TreeMap<>();
    static final Set<String> COMPONENTS = new TreeSet<>();
    static final String STATE;

    static {
      try (BusyCluster busy =
          new BusyCluster(
              0,
              _ -> false,
              failure -> {
                throw new AssertionError(failure.toString(), failure.cause());
              })) {
        work(busy, () -> {});
        LOOPS.putAll(busy.time().supervised());
        calmDown(busy);
        busy.cluster.supervisor().health().readiness().stream()
            .map(HealthCheck::name)
            .forEach(COMPONENTS::add);
        STATE = busy.state();
      }
    }
  }

  private static void work(BusyCluster busy, Runnable afterEachStep) {
    for (int step = 0; step < STEPS; step++) {
      switch (step) {
        case BEGIN -> busy.begin();
        case GO_ON -> busy.goOn();
        default -> {}
      }
      busy.advance(STEP);
      afterEachStep.run();
    }
  }

  private static void calmDown(BusyCluster busy) {
    busy.time().failWhere(_ -> false);
    busy.advance(CALM);
  }

  static Stream<Arguments> loopsAndSeeds() {
    return Undisturbed.LOOPS.keySet().stream()
        .flatMap(loop -> Seeds.of(1, 1).mapToObj(seed -> Arguments.of(loop, seed)));
  }

  @Test
  void everyKindOfComponentIsAmongThem() {
    List<String> expected = new ArrayList<>();
    for (ControllerName name : ControllerName.values()) {
      expected.add("component/" + name.word());
    }
    assertThat(Undisturbed.COMPONENTS)
        .containsAll(expected)
        .contains(
            "component/scheduler",
            "component/hollow-nodes",
            "component/shared-informers",
            "component/resourcequota-controller",
            "component/customresourcedefinitions",
            "component/event-expiry",
            "component/history-compactor");
    assertThat(Undisturbed.LOOPS.keySet())
        .hasSizeGreaterThanOrEqualTo(Undisturbed.COMPONENTS.size());
    assertThat(Undisturbed.STATE)
        .contains(
            "deployments web readyReplicas=5",
            "pods of agent, ready true=3",
            "endpoints=5",
            "quota=11")
        .doesNotContain("doomed", "pods of old");
  }

  @ParameterizedTest(name = "{0} fails, seed {1}")
  @MethodSource("loopsAndSeeds")
  void theClusterConverges(String failing, long seed) {
    List<LoopFailure> failures = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seed);
    // Some have few tasks, and how many depends on the seed. The first ones are as likely to fail
    // as those in mid-work.
    int tasks = Math.clamp(Undisturbed.LOOPS.getOrDefault(failing, 1) / 3, 1, 60);
    int[] until = {random.nextInt(tasks)};
    Predicate<String> faults =
        loop -> {
          if (!loop.equals(failing) || failures.size() >= MOST_FAILURES || until[0]-- > 0) {
            return false;
          }
          until[0] = random.nextInt(tasks);
          return true;
        };
    try (BusyCluster busy = new BusyCluster(seed, faults, failures::add)) {
      int[] seen = {0};
      work(
          busy,
          () -> {
            if (failures.size() > seen[0]) {
              seen[0] = failures.size();
              assertThat(readyz(busy)).as("a component is down").startsWith("500");
              assertThat(down(busy)).isNotEmpty();
            }
          });
      calmDown(busy);

      assertThat(failures).as("the test can fail at all").isNotEmpty();
      assertThat(restarts(busy)).isEqualTo(failures.size());
      assertThat(readyz(busy)).isEqualTo("200 ok");
      assertThat(busy.state()).isEqualTo(Undisturbed.STATE);
    }
  }

  @Test
  void eventsExpireThoughWhatExpiresThemFailed() {
    List<LoopFailure> failures = new ArrayList<>();
    Predicate<String> faults =
        loop -> loop.equals("event-expiry") && failures.size() < MOST_FAILURES;
    try (BusyCluster busy = new BusyCluster(1, faults, failures::add)) {
      busy.cluster.create(
          Resources.EVENTS,
          "{'metadata':{'namespace':'default','name':'old'},'eventTime':"
              + "'2030-01-01T00:00:00.000000Z','regarding':{'kind':'Pod','namespace':'default',"
              + "'name':'p'},'type':'Normal','reason':'Old','action':'Aging',"
              + "'reportingController':'t','reportingInstance':'t'}");
      busy.advance(Duration.ofMinutes(63));
      assertThat(failures).hasSize(MOST_FAILURES);
      assertThat(busy.cluster.events("p", "Old")).isEmpty();
    }
  }

  private static String readyz(BusyCluster busy) {
    HealthEndpoints.Answer answer =
        HealthEndpoints.of(busy.cluster.supervisor().health())
            .answer("/readyz", false, Set.of())
            .orElseThrow();
    return answer.status() + " " + answer.text();
  }

  private static List<String> down(BusyCluster busy) {
    return busy.cluster.supervisor().health().readiness().stream()
        .map(check -> check.name().substring("component/".length()))
        .filter(name ->
            busy.cluster.supervisor().health().status(name).orElseThrow()
                instanceof ComponentStatus.Down)
        .toList();
  }

  private static long restarts(BusyCluster busy) {
    return busy.cluster
        .serverMetrics()
        .text(MetricsText.Format.PROMETHEUS)
        .lines()
        .filter(line -> line.startsWith("berth_component_restarts_total{"))
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
