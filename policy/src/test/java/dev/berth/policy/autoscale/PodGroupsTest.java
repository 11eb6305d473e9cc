package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodGroupsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final AutoscalerSettings SETTINGS =
      new AutoscalerSettings(Duration.ZERO, 0.1, Duration.ofMinutes(2), Duration.ofSeconds(10));

  private static PodFixture running() {
    return pod("p").on("n");
  }

  /** A pod that started some seconds ago, and whose readiness changed some seconds ago. */
  private static PodFixture running(String ready, int started, int changed) {
    return running()
        .with("status.startTime", NOW.minusSeconds(started).toString())
        .with(
            "status.conditions",
            JsonArray.of(
                object("type", "Ready", "status", ready)
                    .with("lastTransitionTime", NOW.minusSeconds(changed).toString())));
  }

  private static Map<String, PodMetric> measured(int secondsAgo) {
    return Map.of("p", new PodMetric(NOW.minusSeconds(secondsAgo), Duration.ofSeconds(30), 1000));
  }

  static Stream<Arguments> groups() {
    return Stream.of(
        argumentSet("no condition", running(), measured(0), "unready"),
        argumentSet(
            "no start time",
            running().with("status.conditions", JsonArray.of(object("type", "Ready"))),
            measured(0),
            "unready"),
        argumentSet("ready for long", running("True", 600, 500), measured(0), "ready"),
        argumentSet("starting, not ready", running("False", 60, 60), measured(0), "unready"),
        argumentSet("starting, ready for a window", running("True", 100, 40), measured(5), "ready"),
        argumentSet(
            "starting, ready for less than a window",
            running("True", 100, 40),
            measured(15),
            "unready"),
        argumentSet("started, never was ready", running("False", 600, 595), measured(0), "unready"),
        argumentSet("started, not ready any more", running("False", 600, 60), measured(0), "ready"),
        argumentSet("no metrics", running("True", 600, 500), Map.of(), "missing"),
        argumentSet("pending", pod("p").phase("Pending"), measured(0), "unready"),
        argumentSet("pending without metrics", pod("p").phase("Pending"), Map.of(), "unready"),
        argumentSet("failed", pod("p").phase("Failed"), measured(0), "ignored"),
        argumentSet(
            "being deleted",
            running("True", 600, 500).terminatingSince(NOW),
            measured(0),
            "ignored"));
  }

  @ParameterizedTest
  @MethodSource("groups")
  void ofTheProcessor(PodFixture pod, Map<String, PodMetric> metrics, String group) {
    Set<String> one = Set.of("p");
    PodGroups groups =
        PodGroups.of(List.of(MeasuredPod.read(pod.tree())), metrics, true, SETTINGS, NOW);

    assertThat(groups)
        .isEqualTo(
            new PodGroups(
                group.equals("ready") ? 1 : 0,
                group.equals("unready") ? one : Set.of(),
                group.equals("missing") ? one : Set.of(),
                group.equals("ignored") ? one : Set.of()));
  }

  @Test
  void ofOtherThingsReadinessDoesNotMatter() {
    MeasuredPod pod = MeasuredPod.read(running("False", 5, 5).tree());
    assertThat(PodGroups.of(List.of(pod), measured(0), false, SETTINGS, NOW).ready()).isEqualTo(1);
  }
}
