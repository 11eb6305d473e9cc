package dev.berth.scheduler.plugin.resources;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.plugin.OneNode;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeResourcesFitTest {
  private static final NodeResourcesFit PLUGIN = new NodeResourcesFit();
  private static final NodeFixture NODE =
      node("n1")
          .allocatable(
              "cpu",
              "4",
              "memory",
              "8Gi",
              "ephemeral-storage",
              "10Gi",
              "pods",
              "3",
              "a.com/x",
              "2");
  private static final PodFixture WEB = pod("web");
  private static final PodFixture HALF = pod("half").requesting("cpu", "2", "memory", "4Gi");

  static Stream<Arguments> requests() {
    return Stream.of(
        argumentSet("nothing", WEB, List.of(), true),
        argumentSet("what is left", WEB.requesting("cpu", "2", "memory", "4Gi"), List.of(), true),
        argumentSet(
            "a little more", WEB.requesting("cpu", "2001m"), List.of("Insufficient cpu"), true),
        argumentSet(
            "too much of several",
            WEB.requesting("cpu", "3", "memory", "5Gi", "ephemeral-storage", "1Gi"),
            List.of("Insufficient cpu", "Insufficient memory"),
            true),
        argumentSet(
            "more than the node ever had",
            WEB.requesting("memory", "9Gi"),
            List.of("Insufficient memory"),
            false),
        argumentSet(
            "more than it ever had of one, and just too much of another",
            WEB.requesting("cpu", "3", "memory", "9Gi"),
            List.of("Insufficient cpu", "Insufficient memory"),
            false),
        argumentSet("an extended resource", WEB.requesting("a.com/x", "2"), List.of(), true),
        argumentSet(
            "too much of it",
            WEB.requesting("a.com/x", "3"),
            List.of("Insufficient a.com/x"),
            false),
        argumentSet(
            "one that the node does not have",
            WEB.requesting("a.com/y", "1"),
            List.of("Insufficient a.com/y"),
            false),
        argumentSet(
            "zero of one that it does not have", WEB.requesting("a.com/y", "0"), List.of(), true));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void fitsOrSaysWhatIsMissing(PodFixture pod, List<String> messages, boolean preemptionMayHelp) {
    OneNode one = new OneNode(NODE, HALF);
    assertThat(one.messages(PLUGIN, pod)).isEqualTo(messages);
    Refusal refusal = one.refusal(PLUGIN, pod);
    assertThat(refusal == null || refusal.preemptionMayHelp()).isEqualTo(preemptionMayHelp);
  }

  @Test
  void saysHowMuchWasAskedForAndHowMuchThereIs() {
    assertThat(new OneNode(NODE, HALF).refusal(PLUGIN, WEB.requesting("cpu", "2500m")))
        .isEqualTo(new Shortage(List.of(new Lack("cpu", 2500, 2000, 4000))));
  }

  @Test
  void countsPods() {
    OneNode full = new OneNode(NODE, pod("a"), pod("b"), pod("c"));
    assertThat(full.messages(PLUGIN, WEB)).containsExactly("Too many pods");
    assertThat(full.messages(PLUGIN, WEB.requesting("cpu", "5")))
        .containsExactly("Too many pods", "Insufficient cpu");
  }

  @Test
  void ignoresWhatItIsToldTo() {
    NodeResourcesFit plugin =
        new NodeResourcesFit(
            JsonObject.of("ignoredResources", JsonArray.of("a.com/y"))
                .with("ignoredResourceGroups", JsonArray.of("b.com")));
    PodFixture pod = WEB.requesting("a.com/y", "1", "b.com/z", "1", "a.com/x", "3");
    assertThat(new OneNode(NODE).messages(plugin, pod)).containsExactly("Insufficient a.com/x");
  }

  static Stream<Arguments> scores() {
    PodFixture quarter = WEB.requesting("cpu", "1", "memory", "2Gi");
    JsonObject byExtended =
        strategy("LeastAllocated")
            .with(
                "resources",
                JsonArray.of(
                    object("name", "cpu").with("weight", 1L),
                    object("name", "a.com/x").with("weight", 3L)));
    return Stream.of(
        argumentSet("least: a quarter is left", strategy("LeastAllocated"), quarter, 25L),
        argumentSet("most: three quarters are taken", strategy("MostAllocated"), quarter, 75L),
        argumentSet(
            "the usual amounts count for a pod without requests",
            strategy("LeastAllocated"),
            WEB.requesting(),
            47L),
        argumentSet(
            "zero is not missing",
            strategy("LeastAllocated"),
            WEB.requesting("cpu", "0", "memory", "0"),
            50L),
        argumentSet(
            "a resource that the pod does not ask for is left out", byExtended, quarter, 25L),
        argumentSet(
            "one that it asks for counts by its weight",
            byExtended,
            WEB.requesting("cpu", "1", "a.com/x", "1"),
            43L),
        argumentSet("a curve", ratio(0, 0, 100, 10), quarter, 75L),
        argumentSet("a curve with a bend", ratio(0, 10, 50, 0, 100, 10), quarter, 50L),
        argumentSet("beyond the curve's ends", ratio(10, 2, 20, 4), quarter, 40L));
  }

  private static JsonObject strategy(String type) {
    return object("type", type);
  }

  private static JsonObject ratio(long... points) {
    Object[] shape = new Object[points.length / 2];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = JsonObject.of("utilization", points[2 * i]).with("score", points[2 * i + 1]);
    }
    return strategy("RequestedToCapacityRatio")
        .with("requestedToCapacityRatio", JsonObject.of("shape", JsonArray.of(shape)));
  }

  @ParameterizedTest
  @MethodSource("scores")
  void scoresByStrategy(JsonObject strategy, PodFixture pod, long expected) {
    NodeResourcesFit plugin = new NodeResourcesFit(JsonObject.of("scoringStrategy", strategy));
    assertThat(new OneNode(NODE, HALF).score(plugin, pod)).isEqualTo(expected);
  }

  static Stream<Arguments> nonsense() {
    return Stream.of(
        argumentSet("an unknown strategy", strategy("BestAllocated"), "not BestAllocated"),
        argumentSet("no points", strategy("RequestedToCapacityRatio"), "at least one point"),
        argumentSet("points that do not rise", ratio(10, 0, 10, 5), "found 10 after 10"),
        argumentSet("a score beyond ten", ratio(0, 11), "found 11"),
        argumentSet(
            "a weight of zero",
            strategy("LeastAllocated")
                .with("resources", JsonArray.of(object("name", "cpu").with("weight", 0L))),
            "from 1 to 100, not 0"));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void refusesNonsense(JsonObject strategy, String message) {
    assertThatThrownBy(() -> new NodeResourcesFit(JsonObject.of("scoringStrategy", strategy)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> balances() {
    return Stream.of(
        argumentSet("nothing changes", WEB.requesting("cpu", "1", "memory", "2Gi"), HALF, 75L),
        argumentSet("less even", WEB.requesting("cpu", "2"), HALF, 62L),
        argumentSet(
            "more even", WEB.requesting("memory", "4Gi"), pod("p").requesting("cpu", "2"), 87L),
        argumentSet("a pod that requests nothing is not asked about", WEB, HALF, -1L));
  }

  @ParameterizedTest
  @MethodSource("balances")
  void likesNodesThatBecomeMoreEven(PodFixture pod, PodFixture there, long expected) {
    assertThat(new OneNode(NODE, there).score(new NodeResourcesBalancedAllocation(), pod))
        .isEqualTo(expected);
  }
}
