package dev.berth.sim.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.component.ComponentStatus;
import dev.berth.component.HealthCheck;
import dev.berth.component.HealthEndpoints;
import dev.berth.controllers.ControllerName;
import dev.berth.metrics.MetricsText;
import dev.berth.time.LoopFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
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

  private static final int STEPS = 60;
  private static final int MOST_FAILURES = 4;

  /** How a cluster ends up in which nothing fails, and which loops there are. */
  private static final class Undisturbed {
    static final TreeSet<String> LOOPS = new TreeSet<>();
    static final Set<String> COMPONENTS = new TreeSet<>();
    static final String STATE;

    static {
      try (BusyCluster busy =
          new BusyCluster(
              0,
              failure -> {
                throw new AssertionError(failure.toString(), failure.cause());
              })) {
        run(busy, () -> {});
        LOOPS.addAll(busy.time().supervised);
        busy.cluster.supervisor().health().readiness().stream()
            .map(HealthCheck::name)
            .forEach(COMPONENTS::add);
        STATE = busy.state();
      }
    }
  }

  private static void run(BusyCluster busy, Runnable afterEachStep) {
    for (int step = 0; step < STEPS; step++) {
      if (step == 4) {
        busy.begin();
      } else if (step == STEPS / 2) {
        busy.goOn();
      }
      busy.advance(STEP);
      afterEachStep.run();
    }
    busy.time().faults = _ -> false;
    busy.advance(CALM);
  }

  static Stream<Arguments> loopsAndSeeds() {
    return Undisturbed.LOOPS.stream()
        .flatMap(loop -> SupervisionSeeds.all().mapToObj(seed -> Arguments.of(loop, seed)));
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
            "component/event-expiry");
    assertThat(Undisturbed.LOOPS).hasSizeGreaterThanOrEqualTo(Undisturbed.COMPONENTS.size());
    assertThat(Undisturbed.STATE)
        .contains("deployments web readyReplicas=5", "pods of agent, ready true=3", "endpoints=5")
        .doesNotContain("doomed", "pods of old");
  }

  @ParameterizedTest(name = "{0} fails, seed {1}")
  @MethodSource("loopsAndSeeds")
  void theClusterConverges(String failing, long seed) {
    List<LoopFailure> failures = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seed);
    try (BusyCluster busy = new BusyCluster(seed, failures::add)) {
      int[] until = {random.nextInt(20)};
      busy.time().faults =
          loop -> {
            if (!loop.equals(failing) || failures.size() >= MOST_FAILURES || until[0]-- > 0) {
              return false;
            }
            until[0] = random.nextInt(40);
            return true;
          };
      int[] seen = {0};
      run(
          busy,
          () -> {
            if (failures.size() > seen[0]) {
              seen[0] = failures.size();
              assertThat(readyz(busy)).as("a component is down").startsWith("500");
              assertThat(down(busy)).isNotEmpty();
            }
          });

      assertThat(failures).as("the test can fail at all").isNotEmpty();
      assertThat(restarts(busy)).isEqualTo(failures.size());
      assertThat(readyz(busy)).isEqualTo("200 ok");
      assertThat(busy.state()).isEqualTo(Undisturbed.STATE);
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
