package dev.berth.policy.pod;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.ResourceList;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EffectiveResourcesTest {

  static Stream<Arguments> requests() {
    PodFixture web = pod("web");
    return Stream.of(
        argumentSet("nothing", web, object()),
        argumentSet(
            "containers add up",
            web.requesting("cpu", "1", "memory", "1Gi").requesting("cpu", "500m"),
            object("cpu", "1500m", "memory", "1Gi")),
        argumentSet(
            "an init container that needs less changes nothing",
            web.requesting("cpu", "2").initRequesting("cpu", "1"),
            object("cpu", "2")),
        argumentSet(
            "an init container that needs more counts instead of the sum",
            web.requesting("cpu", "1").requesting("cpu", "1").initRequesting("cpu", "3"),
            object("cpu", "3")),
        argumentSet(
            "of init containers the greatest counts, as they run one by one",
            web.requesting("cpu", "1").initRequesting("cpu", "3").initRequesting("cpu", "2"),
            object("cpu", "3")),
        argumentSet(
            "each resource is taken by itself",
            web.requesting("cpu", "2", "memory", "1Gi").initRequesting("cpu", "1", "memory", "2Gi"),
            object("cpu", "2", "memory", "2Gi")),
        argumentSet(
            "a sidecar adds to the containers",
            web.requesting("cpu", "1").sidecarRequesting("cpu", "1"),
            object("cpu", "2")),
        argumentSet(
            "an init container after a sidecar runs beside it",
            web.requesting("cpu", "1").sidecarRequesting("cpu", "1").initRequesting("cpu", "3"),
            object("cpu", "4")),
        argumentSet(
            "an init container before a sidecar does not",
            web.requesting("cpu", "1").initRequesting("cpu", "3").sidecarRequesting("cpu", "1"),
            object("cpu", "3")),
        argumentSet(
            "several sidecars add up for what comes after them",
            web.requesting("cpu", "1")
                .sidecarRequesting("cpu", "1")
                .sidecarRequesting("cpu", "2")
                .initRequesting("cpu", "1"),
            object("cpu", "4")),
        argumentSet(
            "overhead comes on top, of resources that nobody requests too",
            web.requesting("cpu", "1")
                .with("spec.overhead", object("cpu", "100m", "memory", "1Mi")),
            object("cpu", "1100m", "memory", "1Mi")),
        argumentSet(
            "pod-level requests count instead of the containers'",
            web.requesting("cpu", "1", "memory", "1Gi")
                .with("spec.resources.requests", object("cpu", "3")),
            object("cpu", "3", "memory", "1Gi")),
        argumentSet(
            "overhead comes on top of pod-level requests",
            web.requesting("cpu", "1")
                .with("spec.resources.requests", object("cpu", "3"))
                .with("spec.overhead", object("cpu", "1")),
            object("cpu", "4")),
        argumentSet(
            "a pod has huge pages of its own",
            web.requesting("hugepages-2Mi", "2Mi")
                .with("spec.resources.requests", object("hugepages-2Mi", "8Mi")),
            object("hugepages-2Mi", "8Mi")),
        argumentSet(
            "a pod has no extended resources of its own",
            web.requesting("example.com/gpu", "1")
                .with("spec.resources.requests", object("example.com/gpu", "7")),
            object("example.com/gpu", "1")),
        argumentSet(
            "extended resources and storage are counted like any other",
            web.requesting("example.com/gpu", "1", "ephemeral-storage", "1Gi")
                .requesting("example.com/gpu", "1"),
            object("example.com/gpu", "2", "ephemeral-storage", "1Gi")),
        argumentSet(
            "a request of zero stays in the list", web.requesting("cpu", "0"), object("cpu", "0")));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void sumsRequests(PodFixture pod, JsonObject expected) {
    assertThat(EffectiveResources.requests(pod.view().spec()))
        .isEqualTo(ResourceList.read(expected));
  }

  static Stream<Arguments> limits() {
    PodFixture web = pod("web").container(object("cpu", "1"), object("cpu", "2"));
    return Stream.of(
        argumentSet("containers add up", web.container(object(), object("cpu", "1")), "3"),
        argumentSet(
            "init containers count likewise", web.initContainer(object(), object("cpu", "5")), "5"),
        argumentSet(
            "overhead comes on top of a limit",
            web.with("spec.overhead", object("cpu", "1", "memory", "1Gi")),
            "3"),
        argumentSet(
            "pod-level limits count instead",
            web.with("spec.resources.limits", object("cpu", "7")),
            "7"));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void sumsLimits(PodFixture pod, String cpu) {
    // The memory of the overhead is not in the list: what is not limited stays so.
    assertThat(EffectiveResources.limits(pod.view().spec()))
        .isEqualTo(ResourceList.read(object("cpu", cpu)));
  }

  /**
   * A pod never needs less than its containers and sidecars together, nor than any init container.
   */
  @SeededTest(fixed = 2, fresh = 1)
  void coversWhateverRunsAtOnce(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int decidedByInit = 0;
    for (int round = 0; round < 500; round++) {
      PodFixture pod = pod("p");
      long running = 0;
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        long cpu = random.nextInt(10);
        running += cpu;
        pod = pod.requesting("cpu", cpu + "m");
      }
      long sidecars = 0;
      long starting = 0;
      for (int i = random.nextInt(4); i > 0; i--) {
        long cpu = random.nextInt(20);
        starting = Math.max(starting, sidecars + cpu);
        if (random.nextBoolean()) {
          sidecars += cpu;
          pod = pod.sidecarRequesting("cpu", cpu + "m");
        } else {
          pod = pod.initRequesting("cpu", cpu + "m");
        }
      }
      assertThat(EffectiveResources.requests(pod.view().spec()).get("cpu").milliValue())
          .as("seed %d, round %d: %s", seed, round, pod.tree())
          .isEqualTo(Math.max(running + sidecars, starting));
      decidedByInit += starting > running + sidecars ? 1 : 0;
    }
    assertThat(decidedByInit).isBetween(50, 450);
  }
}
