package dev.berth.policy.disruption;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StaleDisruptionTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

  private static JsonObject pod(String phase, String status, String reason) {
    JsonObject condition =
        object(
            "type",
            "DisruptionTarget",
            "status",
            status,
            "reason",
            reason,
            "lastTransitionTime",
            SINCE.toString());
    return JsonObject.of("metadata", object("name", "p"))
        .with("status", object("phase", phase).with("conditions", JsonArray.of(condition)));
  }

  private static final String EVICTED = "EvictionByEvictionAPI";

  static Stream<Arguments> rows() {
    JsonObject running = pod("Running", "True", EVICTED);
    return Stream.of(
        argumentSet("a pod that stays", running, true),
        argumentSet("one that was told so and taken back", pod("Running", "False", EVICTED), false),
        argumentSet("what the kubelet said", pod("Running", "True", "TerminationByKubelet"), false),
        argumentSet("a finished pod", pod("Failed", "True", EVICTED), false),
        argumentSet(
            "a pod that goes",
            running.with("metadata", object("deletionTimestamp", SINCE.toString())),
            false),
        argumentSet("a pod that nobody disrupts", running.without("status"), false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isStaleAfterTwoMinutes(JsonObject pod, boolean stale) {
    if (stale) {
      assertThat(StaleDisruption.staleAt(pod)).contains(SINCE.plusSeconds(120));
    } else {
      assertThat(StaleDisruption.staleAt(pod)).isEmpty();
    }
  }

  @Test
  void isTakenBackWithoutAReason() {
    JsonObject reset =
        StaleDisruption.reset(pod("Running", "True", EVICTED), SINCE.plusSeconds(120));
    assertThat(reset.object("status").array("conditions").objects())
        .containsExactly(
            object(
                "type", "DisruptionTarget",
                "status", "False",
                "lastTransitionTime", "2026-01-01T00:02:00Z"));
  }
}
