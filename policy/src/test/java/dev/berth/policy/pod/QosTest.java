package dev.berth.policy.pod;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QosTest {
  private static final JsonObject NOTHING = JsonObject.EMPTY;
  private static final JsonObject BOTH = object("cpu", "1", "memory", "1Gi");
  private static final JsonObject SAME_BOTH = object("cpu", "1000m", "memory", "1024Mi");
  private static final JsonObject MORE = object("cpu", "2", "memory", "1Gi");

  static Stream<Arguments> classes() {
    return Stream.of(
        argumentSet("no requests, no limits", web(NOTHING, NOTHING), QosClass.BEST_EFFORT),
        argumentSet(
            "requests and limits of zero",
            web(object("cpu", "0"), object("memory", "0")),
            QosClass.BEST_EFFORT),
        argumentSet(
            "only other resources",
            web(object("ephemeral-storage", "1Gi"), object("example.com/gpu", "1")),
            QosClass.BEST_EFFORT),
        argumentSet("limits equal to requests", web(BOTH, BOTH), QosClass.GUARANTEED),
        argumentSet("equal amounts written otherwise", web(BOTH, SAME_BOTH), QosClass.GUARANTEED),
        argumentSet("limits above requests", web(BOTH, MORE), QosClass.BURSTABLE),
        argumentSet("only requests", web(BOTH, NOTHING), QosClass.BURSTABLE),
        argumentSet("only limits, not defaulted yet", web(NOTHING, BOTH), QosClass.BURSTABLE),
        argumentSet(
            "only cpu limited", web(object("cpu", "1"), object("cpu", "1")), QosClass.BURSTABLE),
        argumentSet(
            "one container guaranteed, one with nothing",
            web(BOTH, BOTH).container(NOTHING, NOTHING),
            QosClass.BURSTABLE),
        argumentSet(
            "all containers guaranteed",
            web(BOTH, BOTH).container(MORE, MORE),
            QosClass.GUARANTEED),
        argumentSet(
            "an init container with nothing spoils it",
            web(BOTH, BOTH).initContainer(NOTHING, NOTHING),
            QosClass.BURSTABLE),
        argumentSet(
            "an init container with the only request",
            web(NOTHING, NOTHING).initContainer(object("cpu", "1m"), NOTHING),
            QosClass.BURSTABLE),
        argumentSet(
            "an init container guaranteed too",
            web(BOTH, BOTH).initContainer(MORE, MORE),
            QosClass.GUARANTEED),
        argumentSet(
            "pod-level limits equal to requests, containers with nothing",
            podLevel(web(NOTHING, NOTHING), BOTH, BOTH),
            QosClass.GUARANTEED),
        argumentSet(
            "pod-level amounts count instead of the containers'",
            podLevel(web(BOTH, BOTH), BOTH, MORE),
            QosClass.BURSTABLE),
        argumentSet(
            "pod-level requests only",
            podLevel(web(NOTHING, NOTHING), BOTH, NOTHING),
            QosClass.BURSTABLE),
        argumentSet(
            "pod-level limit of memory only",
            podLevel(web(NOTHING, NOTHING), object("memory", "1Gi"), object("memory", "1Gi")),
            QosClass.BURSTABLE));
  }

  private static PodFixture web(JsonObject requests, JsonObject limits) {
    return pod("web").container(requests, limits);
  }

  private static PodFixture podLevel(PodFixture pod, JsonObject requests, JsonObject limits) {
    return pod.with("spec.resources.requests", requests).with("spec.resources.limits", limits);
  }

  @ParameterizedTest
  @MethodSource("classes")
  void classifies(PodFixture pod, QosClass expected) {
    assertThat(Qos.of(pod.view().spec())).isEqualTo(expected);
  }
}
