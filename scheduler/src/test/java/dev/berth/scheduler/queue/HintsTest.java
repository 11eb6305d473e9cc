package dev.berth.scheduler.queue;

import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.plugin.ClusterEventKind;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which happenings may help which pods, where every plugin waits for everything. */
class HintsTest {
  private static final String FIT = "NodeResourcesFit";
  private static final String TAINTS = "TaintToleration";
  private static final String AFFINITY = "NodeAffinity";
  private static final String SPREAD = "PodTopologySpread";
  private static final String NEAR = "InterPodAffinity";

  private static final Hints HINTS =
      new Hints(
          Map.of(),
          Map.of("default-scheduler", Set.of(FIT, TAINTS, AFFINITY, "NodeUnschedulable")),
          TolerationRules.STANDARD);

  private static final NodeFixture NODE =
      node("n1").allocatable("cpu", "4", "memory", "8Gi", "pods", "10").labelled("zone", "a");
  private static final NodeFixture CORDONED = NODE.cordoned();
  private static final NodeFixture TAINTED = NODE.tainted("k=v:NoSchedule");
  private static final NodeFixture LARGER =
      NODE.allocatable("cpu", "8", "memory", "8Gi", "pods", "10");
  private static final NodeFixture SMALLER =
      NODE.allocatable("cpu", "2", "memory", "8Gi", "pods", "10");

  private static final PodFixture POD = pod("p").requesting("cpu", "1");
  private static final PodFixture HUGE = pod("p").requesting("cpu", "5");
  private static final PodFixture ZONE_B = POD.selectingNodes("zone", "b");
  private static final PodFixture DAEMON =
      POD.requiringNodes(fields(requirement("metadata.name", "In", "n2")));
  private static final PodFixture PORT = withPort(POD, 80);
  private static final PodFixture SPREADING =
      POD.with(
          "spec.topologySpreadConstraints",
          JsonArray.of(
              JsonObject.of("labelSelector", JsonObject.of("matchLabels", object("app", "web")))));
  private static final PodFixture NEAR_WEB = POD.with("spec.affinity.podAffinity", webTerm());
  private static final PodFixture FAR_FROM_WEB =
      POD.with("spec.affinity.podAntiAffinity", webTerm());
  private static final PodFixture CLAIMING =
      POD.with(
          "spec.volumes",
          JsonArray.of(JsonObject.of("persistentVolumeClaim", object("claimName", "data"))));

  private static final PodFixture BOUND = pod("b").on("n1").requesting("cpu", "2");
  private static final PodFixture WEB = BOUND.labelled("app", "web");

  private static PodFixture withPort(PodFixture fixture, long port) {
    return fixture.with(
        "spec.containers[0].ports",
        JsonArray.of(JsonObject.of("containerPort", port).with("hostPort", port)));
  }

  private static JsonObject webTerm() {
    JsonObject term =
        JsonObject.of("labelSelector", JsonObject.of("matchLabels", object("app", "web")))
            .with("topologyKey", "zone");
    return JsonObject.of("requiredDuringSchedulingIgnoredDuringExecution", JsonArray.of(term));
  }

  private static Arguments row(
      String name,
      PodFixture waiting,
      String plugin,
      ClusterEventKind kind,
      @Nullable JsonObject before,
      @Nullable JsonObject after,
      boolean helps) {
    return Arguments.of(name, waiting, plugin, kind, before, after, helps);
  }

  static Stream<Arguments> rows() {
    JsonObject claim = JsonObject.of("metadata", object("namespace", "default", "name", "data"));
    JsonObject otherClaim = JsonObject.of("metadata", object("namespace", "default", "name", "x"));
    return Stream.of(
        row("a new node", POD, FIT, ClusterEventKind.NODE_ADDED, null, NODE.tree(), true),
        row("one too small", HUGE, FIT, ClusterEventKind.NODE_ADDED, null, NODE.tree(), false),
        row("one cordoned", POD, FIT, ClusterEventKind.NODE_ADDED, null, CORDONED.tree(), false),
        row("one tainted", POD, FIT, ClusterEventKind.NODE_ADDED, null, TAINTED.tree(), false),
        row("one elsewhere", ZONE_B, FIT, ClusterEventKind.NODE_ADDED, null, NODE.tree(), false),
        row("one not for it", DAEMON, FIT, ClusterEventKind.NODE_ADDED, null, NODE.tree(), false),
        row(
            "an uncordoned one, to whom room was wanting",
            POD,
            FIT,
            ClusterEventKind.NODE_UNSCHEDULABLE_CHANGED,
            CORDONED.tree(),
            NODE.tree(),
            true),
        row(
            "a taint is gone",
            POD,
            TAINTS,
            ClusterEventKind.NODE_TAINTS_CHANGED,
            TAINTED.tree(),
            NODE.tree(),
            true),
        row(
            "a taint is added",
            POD,
            TAINTS,
            ClusterEventKind.NODE_TAINTS_CHANGED,
            NODE.tree(),
            TAINTED.tree(),
            false),
        row(
            "another taint than one that stays",
            POD,
            TAINTS,
            ClusterEventKind.NODE_TAINTS_CHANGED,
            TAINTED.tainted("other=v:NoSchedule").tree(),
            TAINTED.tree(),
            false),
        row(
            "the label it wants",
            ZONE_B,
            AFFINITY,
            ClusterEventKind.NODE_LABELS_CHANGED,
            NODE.tree(),
            NODE.labelled("zone", "b").tree(),
            true),
        row(
            "another label",
            ZONE_B,
            AFFINITY,
            ClusterEventKind.NODE_LABELS_CHANGED,
            NODE.tree(),
            NODE.labelled("disk", "b").tree(),
            false),
        row(
            "a node grows",
            POD,
            FIT,
            ClusterEventKind.NODE_ALLOCATABLE_CHANGED,
            NODE.tree(),
            LARGER.tree(),
            true),
        row(
            "a node shrinks",
            POD,
            FIT,
            ClusterEventKind.NODE_ALLOCATABLE_CHANGED,
            NODE.tree(),
            SMALLER.tree(),
            false),
        row("a pod leaves", POD, FIT, ClusterEventKind.POD_GONE, BOUND.tree(), null, true),
        row(
            "one of another node",
            DAEMON,
            FIT,
            ClusterEventKind.POD_GONE,
            BOUND.tree(),
            null,
            false),
        row(
            "a pod wants less",
            POD,
            FIT,
            ClusterEventKind.POD_SCALED_DOWN,
            BOUND.tree(),
            pod("b").on("n1").requesting("cpu", "1").tree(),
            true),
        row(
            "a pod wants less of something else",
            POD,
            FIT,
            ClusterEventKind.POD_SCALED_DOWN,
            pod("b").on("n1").requesting("cpu", "1", "memory", "2Gi").tree(),
            pod("b").on("n1").requesting("cpu", "1", "memory", "1Gi").tree(),
            false),
        row(
            "who held its port leaves",
            PORT,
            "NodePorts",
            ClusterEventKind.POD_GONE,
            withPort(BOUND, 80).tree(),
            null,
            true),
        row(
            "who held another leaves",
            PORT,
            "NodePorts",
            ClusterEventKind.POD_GONE,
            withPort(BOUND, 81).tree(),
            null,
            false),
        row(
            "one of the spread",
            SPREADING,
            SPREAD,
            ClusterEventKind.POD_BOUND,
            null,
            WEB.tree(),
            true),
        row(
            "one that is not",
            SPREADING,
            SPREAD,
            ClusterEventKind.POD_BOUND,
            null,
            BOUND.tree(),
            false),
        row(
            "who it wants near",
            NEAR_WEB,
            NEAR,
            ClusterEventKind.POD_BOUND,
            null,
            WEB.tree(),
            true),
        row("somebody else", NEAR_WEB, NEAR, ClusterEventKind.POD_BOUND, null, BOUND.tree(), false),
        row(
            "who it does not want near",
            FAR_FROM_WEB,
            NEAR,
            ClusterEventKind.POD_BOUND,
            null,
            WEB.tree(),
            false),
        row(
            "who it shuns leaves",
            FAR_FROM_WEB,
            NEAR,
            ClusterEventKind.POD_GONE,
            WEB.tree(),
            null,
            true),
        row(
            "who shuns others leaves",
            POD,
            NEAR,
            ClusterEventKind.POD_GONE,
            BOUND.with("spec.affinity.podAntiAffinity", webTerm()).tree(),
            null,
            true),
        row(
            "a label makes it one it wants near",
            NEAR_WEB,
            NEAR,
            ClusterEventKind.POD_LABELS_CHANGED,
            BOUND.tree(),
            WEB.tree(),
            true),
        row(
            "its claim",
            CLAIMING,
            "VolumeBinding",
            ClusterEventKind.CLAIM_CHANGED,
            null,
            claim,
            true),
        row(
            "another claim",
            CLAIMING,
            "VolumeBinding",
            ClusterEventKind.CLAIM_CHANGED,
            null,
            otherClaim,
            false),
        row(
            "something of a plugin that is not known",
            POD,
            "Foreign",
            ClusterEventKind.CSI_CHANGED,
            null,
            null,
            true));
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("rows")
  void helpsOrDoesNot(
      String name,
      PodFixture waiting,
      String plugin,
      ClusterEventKind kind,
      @Nullable JsonObject before,
      @Nullable JsonObject after,
      boolean helps) {
    WaitingPod pod = new WaitingPod(new Cluster().read(waiting.tree()));
    ClusterEvent event = new ClusterEvent(kind, before, after);
    assertThat(HINTS.mayHelp(Set.of(plugin), pod, event)).isEqualTo(helps);
    if (helps) {
      assertThat(HINTS.wakes(Set.of(plugin))).contains(kind);
    }
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("rows")
  void nothingHelpsThoseOfAPluginThatWaitsForNothing(
      String name,
      PodFixture waiting,
      String plugin,
      ClusterEventKind kind,
      @Nullable JsonObject before,
      @Nullable JsonObject after,
      boolean helps) {
    Hints deaf = new Hints(Map.of(plugin, Set.of()), Map.of(), TolerationRules.STANDARD);
    WaitingPod pod = new WaitingPod(new Cluster().read(waiting.tree()));
    assertThat(deaf.mayHelp(Set.of(plugin), pod, new ClusterEvent(kind, before, after))).isFalse();
  }
}
