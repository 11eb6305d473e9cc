package dev.berth.scheduler.plugin.node;

import static dev.berth.model.fixture.Fixtures.expressions;
import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.OneNode;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeFiltersTest {
  private static final String CORDONED = "node(s) were unschedulable";
  private static final String NAME = "node(s) didn't match the requested node name";
  private static final String AFFINITY = "node(s) didn't match Pod's node affinity/selector";
  private static final String ENFORCED = "node(s) didn't match scheduler-enforced node affinity";
  private static final String FEATURES = "node(s) didn't match Pod's required features";
  private static final String PORTS = "node(s) didn't have free ports for the requested pod ports";

  private static final PodFixture WEB = pod("web");
  private static final NodeFixture N1 = node("n1").labelled("disk", "ssd");

  static Stream<Arguments> answers() {
    FilterPlugin unschedulable = new NodeUnschedulable(TolerationRules.STANDARD);
    FilterPlugin name = new NodeName();
    FilterPlugin affinity = new NodeAffinityPlugin();
    FilterPlugin enforced =
        new NodeAffinityPlugin(
            JsonObject.of(
                "addedAffinity",
                JsonObject.of(
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    JsonObject.of(
                        "nodeSelectorTerms",
                        JsonArray.of(expressions(requirement("pool", "In", "a")))))));
    PodFixture hdd = WEB.selectingNodes("disk", "hdd");
    FilterPlugin features = new NodeDeclaredFeatures();
    PodFixture restarting =
        WEB.with(
            "spec.containers",
            JsonArray.of(
                object("name", "c")
                    .with(
                        "restartPolicyRules",
                        JsonArray.of(object("action", "RestartAllContainers")))));
    NodeFixture able =
        N1.with("status.declaredFeatures", JsonArray.of("RestartAllContainersOnContainerExits"));
    return Stream.of(
        argumentSet("a node that is not cordoned", unschedulable, WEB, N1, ""),
        argumentSet("a cordoned node", unschedulable, WEB, N1.cordoned(), CORDONED),
        argumentSet(
            "a cordoned node, tolerated",
            unschedulable,
            WEB.tolerating(
                Toleration.exists("node.kubernetes.io/unschedulable", TaintEffect.NO_SCHEDULE)),
            N1.cordoned(),
            ""),
        argumentSet(
            "a cordoned node, another effect tolerated",
            unschedulable,
            WEB.tolerating(
                Toleration.exists("node.kubernetes.io/unschedulable", TaintEffect.NO_EXECUTE)),
            N1.cordoned(),
            CORDONED),
        argumentSet("no name", name, WEB, N1, ""),
        argumentSet("its name", name, WEB.on("n1"), N1, ""),
        argumentSet("another name", name, WEB.on("n2"), N1, NAME),
        argumentSet("no selector", affinity, WEB, N1, ""),
        argumentSet("the selector's label", affinity, WEB.selectingNodes("disk", "ssd"), N1, ""),
        argumentSet("another label", affinity, hdd, N1, AFFINITY),
        argumentSet(
            "a term that it meets",
            affinity,
            WEB.requiringNodes(expressions(requirement("disk", "Exists"))),
            N1,
            ""),
        argumentSet(
            "a term that it does not meet",
            affinity,
            WEB.requiringNodes(expressions(requirement("disk", "DoesNotExist"))),
            N1,
            AFFINITY),
        argumentSet("added affinity, met", enforced, WEB, N1.labelled("pool", "a"), ""),
        argumentSet("added affinity, not met", enforced, WEB, N1, ENFORCED),
        argumentSet("added affinity before the pod's own", enforced, hdd, N1, ENFORCED),
        argumentSet(
            "added affinity met, the pod's own not",
            enforced,
            hdd,
            N1.labelled("pool", "a"),
            AFFINITY),
        argumentSet("no features needed", features, WEB, N1, ""),
        argumentSet("a feature that the node declares", features, restarting, able, ""),
        argumentSet(
            "a feature that it does not",
            features,
            restarting.with("spec.hostNetwork", true).with("spec.hostUsers", false),
            able,
            FEATURES));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void allowsOrSaysWhyNot(FilterPlugin plugin, PodFixture pod, NodeFixture node, String message) {
    OneNode one = new OneNode(node);
    assertThat(one.messages(plugin, pod))
        .isEqualTo(message.isEmpty() ? List.of() : List.of(message));
    Refusal refusal = one.refusal(plugin, pod);
    if (refusal != null) {
      assertThat(refusal.plugin()).isEqualTo(plugin.name());
      assertThat(refusal.preemptionMayHelp()).isFalse();
    }
  }

  static Stream<Arguments> ports() {
    return Stream.of(
        argumentSet("no ports", taking(), taking(), true),
        argumentSet("another port", taking(port(80, "TCP", "")), taking(port(81, "TCP", "")), true),
        argumentSet("the same", taking(port(80, "TCP", "")), taking(port(80, "TCP", "")), false),
        argumentSet(
            "another protocol", taking(port(80, "TCP", "")), taking(port(80, "UDP", "")), true),
        argumentSet(
            "another address",
            taking(port(80, "TCP", "10.0.0.1")),
            taking(port(80, "TCP", "10.0.0.2")),
            true),
        argumentSet(
            "all addresses against one",
            taking(port(80, "TCP", "0.0.0.0")),
            taking(port(80, "TCP", "10.0.0.2")),
            false),
        argumentSet(
            "one address against all",
            taking(port(80, "TCP", "10.0.0.2")),
            taking(port(80, "TCP", "")),
            false),
        argumentSet(
            "one of several",
            taking(port(80, "TCP", ""), port(443, "TCP", "")),
            taking(port(53, "UDP", ""), port(443, "TCP", "")),
            false),
        argumentSet("a port of the pod alone", taking(port(0, "TCP", "")), taking(), true));
  }

  private static JsonObject port(long hostPort, String protocol, String address) {
    return object("protocol", protocol, "hostIP", address)
        .with("containerPort", 8080L)
        .with("hostPort", hostPort);
  }

  private static PodFixture taking(JsonObject... ports) {
    return WEB.with(
        "spec.containers",
        JsonArray.of(object("name", "c").with("ports", JsonArray.of((Object[]) ports))));
  }

  @ParameterizedTest
  @MethodSource("ports")
  void keepsPodsThatTakeTheSamePortApart(PodFixture wanted, PodFixture there, boolean allowed) {
    OneNode one = new OneNode(N1, there.with("metadata.uid", "other"));
    Refusal refusal = one.refusal(new NodePorts(), wanted);
    assertThat(refusal == null).isEqualTo(allowed);
    if (refusal != null) {
      assertThat(refusal.messages()).containsExactly(PORTS);
      assertThat(refusal.preemptionMayHelp()).isTrue();
    }
  }

  static Stream<Arguments> nodeNames() {
    return Stream.of(
        argumentSet("a name", WEB.requiringNodes(named("b")), Set.of("b")),
        argumentSet(
            "a name in each term",
            WEB.requiringNodes(named("c"), named("a"), named("c")),
            Set.of("a", "c")),
        argumentSet(
            "a term without a name",
            WEB.requiringNodes(named("a"), expressions(requirement("disk", "Exists"))),
            null),
        argumentSet(
            "a name that is not wanted",
            WEB.requiringNodes(fields(requirement("metadata.name", "NotIn", "a"))),
            null));
  }

  private static JsonObject named(String name) {
    return fields(requirement("metadata.name", "In", name));
  }

  @ParameterizedTest
  @MethodSource("nodeNames")
  void knowsTheNodesThatAPodNames(PodFixture pod, @Nullable Set<String> expected) {
    PodInfo read = new Cluster().read(pod.tree());
    assertThat(new NodeAffinityPlugin().nodeNames(read)).isEqualTo(expected);
  }

  @Test
  void preferencesAddUpByWeight() {
    JsonObject ssd =
        JsonObject.of("weight", 10L)
            .with("preference", expressions(requirement("disk", "In", "ssd")));
    JsonObject hdd =
        JsonObject.of("weight", 5L)
            .with("preference", expressions(requirement("disk", "In", "hdd")));
    JsonObject any =
        JsonObject.of("weight", 1L).with("preference", expressions(requirement("disk", "Exists")));
    PodFixture pod =
        WEB.with(
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution",
            JsonArray.of(ssd, hdd, any));
    NodeAffinityPlugin adding =
        new NodeAffinityPlugin(
            JsonObject.of(
                "addedAffinity",
                JsonObject.of(
                    "preferredDuringSchedulingIgnoredDuringExecution", JsonArray.of(any))));
    assertThat(new OneNode(N1).score(new NodeAffinityPlugin(), pod)).isEqualTo(11);
    assertThat(new OneNode(N1).score(adding, pod)).isEqualTo(12);
    assertThat(new OneNode(N1).score(new NodeAffinityPlugin(), WEB)).isEqualTo(-1);
  }
}
