package dev.berth.policy.autoscale;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.PodFixture;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodRequestAmountsTest {
  private static PodFixture containers(String json) {
    return new PodFixture(pod("p").tree().with("spec", tree("{'containers':" + json + "}")));
  }

  private static final PodFixture TWO =
      containers(
          "[{'name':'a','resources':{'requests':{'cpu':'100m','memory':'1Mi'}}},"
              + "{'name':'b','resources':{'requests':{'cpu':'250m'}}}]");

  static Stream<Arguments> requests() {
    return Stream.of(
        argumentSet("the sum of containers", TWO, "", "cpu", 350, ""),
        argumentSet("one container", TWO, "b", "cpu", 250, ""),
        argumentSet(
            "sidecars count, init containers do not",
            TWO.initRequesting("cpu", "5").sidecarRequesting("cpu", "50m"),
            "",
            "cpu",
            400,
            ""),
        argumentSet(
            "the pod's own",
            TWO.with("spec.resources.requests", object("cpu", "1")),
            "",
            "cpu",
            1000,
            ""),
        argumentSet(
            "a container's rather than the pod's own",
            TWO.with("spec.resources.requests", object("cpu", "1")),
            "a",
            "cpu",
            100,
            ""),
        argumentSet(
            "a container without",
            TWO,
            "",
            "memory",
            0,
            "missing request for memory in container b of Pod p"),
        argumentSet(
            "a pod without",
            containers("[{'name':'a'}]").with("spec.resources.requests", object("memory", "1Mi")),
            "",
            "cpu",
            0,
            "missing pod-level request for cpu in Pod p"),
        argumentSet("no such container", TWO, "c", "cpu", 0, "container c not found in Pod p"));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void areThoseOfWhatIsMeasured(
      PodFixture pod, String container, String resource, long amount, String problem) {
    PodRequestAmounts amounts =
        PodRequestAmounts.of(List.of(MeasuredPod.read(pod.tree())), container, resource);

    assertThat(amounts.problem()).isEqualTo(problem);
    assertThat(amounts.amounts()).isEqualTo(problem.isEmpty() ? Map.of("p", amount) : Map.of());
  }
}
