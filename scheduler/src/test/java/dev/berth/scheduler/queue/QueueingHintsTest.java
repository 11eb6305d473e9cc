package dev.berth.scheduler.queue;

import static dev.berth.model.fixture.Fixtures.fields;
import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static dev.berth.model.fixture.Fixtures.requirement;
import static dev.berth.scheduler.queue.TestEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.NodeFixture;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.scheduler.profile.Profiles;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which events may help which pods. */
class QueueingHintsTest {
  private static final String FIT = "NodeResourcesFit";
  private static final String TAINTS = "TaintToleration";
  private static final String FEATURES = "NodeDeclaredFeatures";
  private static final String AFFINITY = "NodeAffinity";
  private static final String SPREAD = "PodTopologySpread";
  private static final String NEAR = "InterPodAffinity";

  private final Cluster cluster = new Cluster();
  private final QueueingHints hints =
      new QueueingHints(Profiles.make(ConfigurationReader.defaults())::find, cluster);

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
  private static final PodFixture RESTARTING =
      POD.with(
          "spec.containers[0].restartPolicyRules",
          JsonArray.of(object("action", "RestartAllContainers")));
  private static final NodeFixture ABLE =
      NODE.with("status.declaredFeatures", JsonArray.of("RestartAllContainersOnContainerExits"));
  private static final PodFixture PORT = withPort(POD, 80);
  private static final PodFixture SPREADING =
      POD.with(
          "spec.topologySpreadConstraints",
          JsonArray.of(
              JsonObject.of("labelSelector", JsonObject.of("matchLabels", object("app", "web")))
                  .with("topologyKey", "zone")
                  .with("whenUnsatisfiable", "DoNotSchedule")));
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
        row(
            "one without a resource it wants",
            POD.requesting("example.com/gpu", "1"),
            FIT,
            ClusterEventKind.NODE_ADDED,
            null,
            NODE.tree(),
            false),
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
            "the feature it needs",
            RESTARTING,
            FEATURES,
            ClusterEventKind.NODE_FEATURES_CHANGED,
            NODE.tree(),
            ABLE.tree(),
            true),
        row(
            "a node that has it, which then lacked room",
            RESTARTING,
            FIT,
            ClusterEventKind.NODE_FEATURES_CHANGED,
            NODE.tree(),
            ABLE.tree(),
            true),
        row(
            "another feature",
            RESTARTING,
            FEATURES,
            ClusterEventKind.NODE_FEATURES_CHANGED,
            NODE.tree(),
            NODE.with("status.declaredFeatures", JsonArray.of("Other")).tree(),
            false),
        row(
            "it needs the feature no more",
            POD,
            FEATURES,
            ClusterEventKind.WAITING_POD_CHANGED,
            RESTARTING.tree(),
            POD.tree(),
            true),
        row(
            "it needs what it needed",
            RESTARTING,
            FEATURES,
            ClusterEventKind.WAITING_POD_CHANGED,
            RESTARTING.tree(),
            RESTARTING.labelled("a", "b").tree(),
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
            "one of its namespace, where defaults spread it",
            POD,
            SPREAD,
            ClusterEventKind.POD_BOUND,
            null,
            BOUND.tree(),
            true),
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
    PodInfo pod = cluster.read(waiting.tree());
    assertThat(hints.mayHelp(Set.of(plugin), pod, event(cluster, kind, before, after)))
        .isEqualTo(helps);
    if (helps) {
      assertThat(hints.events(Set.of(plugin), pod)).contains(kind);
    }
  }

  /** A filter that registers for no event. */
  private record Deaf(String name) implements FilterPlugin {
    @Override
    public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
      return null;
    }

    @Override
    public boolean isLocal() {
      return true;
    }

    @Override
    public Set<ClusterEventKind> events() {
      return Set.of();
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
    Profile profile = new Profile("default-scheduler", List.of(new Deaf(plugin)), List.of());
    QueueingHints deaf = new QueueingHints(_ -> profile, cluster);
    PodInfo pod = cluster.read(waiting.tree());
    assertThat(deaf.mayHelp(Set.of(plugin), pod, event(cluster, kind, before, after))).isFalse();
  }
}
