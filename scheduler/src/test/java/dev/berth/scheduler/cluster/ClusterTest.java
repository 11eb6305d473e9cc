package dev.berth.scheduler.cluster;

import static dev.berth.model.fixture.Fixtures.node;
import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.fixture.PodFixture;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.cluster.pod.PodClass;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterTest {
  private static final long MEBIBYTE = 1024 * 1024;
  private static final PodFixture WEB = pod("web");

  private final Cluster cluster = new Cluster();

  @Test
  void podsCountOnceTheirNodeComes() {
    PodInfo web = cluster.read(WEB.requesting("cpu", "1").tree());
    cluster.add(web, "n1");
    int node = cluster.put(node("n1").tree());
    assertThat(cluster.requested(ResourceTable.CPU, node)).isEqualTo(1000);
    assertThat(cluster.requested(ResourceTable.PODS, node)).isEqualTo(1);

    cluster.remove("n1");
    assertThat(cluster.put(node("n2").tree())).isEqualTo(node);
    assertThat(cluster.requested(ResourceTable.CPU, node)).isZero();

    int again = cluster.put(node("n1").tree());
    assertThat(cluster.pods(again)).containsExactly(web);
    assertThat(cluster.remove(web, "n1")).isTrue();
    assertThat(cluster.requested(ResourceTable.CPU, again)).isZero();
    assertThat(cluster.remove(web, "n1")).isFalse();
  }

  @Test
  void aTrialLeavesNothingBehind() {
    int node = cluster.put(node("n1").tree());
    PodInfo there = cluster.read(WEB.requesting("cpu", "1").tree());
    cluster.add(there, "n1");
    long position = cluster.changes().position();
    try (DryRun trial = cluster.dryRun()) {
      trial.add(cluster.read(pod("db").requesting("cpu", "2").tree()), "n1");
      assertThat(trial.remove(there, "n1")).isTrue();
      assertThat(trial.remove(there, "n1")).isFalse();
      assertThat(cluster.requested(ResourceTable.CPU, node)).isEqualTo(2000);
    }
    assertThat(cluster.requested(ResourceTable.CPU, node)).isEqualTo(1000);
    assertThat(cluster.pods(node)).containsExactly(there);
    assertThat(cluster.changes().position()).isEqualTo(position);
  }

  @Test
  void tellsWhatChangedOrThatItNoLongerKnows() {
    int first = cluster.put(node("n1").tree());
    int second = cluster.put(node("n2").tree());
    long position = cluster.changes().position();
    cluster.add(cluster.read(WEB.tree()), "n2");
    cluster.add(cluster.read(WEB.tree()), "unknown");
    cluster.put(node("n1").cordoned().tree());
    List<Integer> changed = new ArrayList<>();
    assertThat(cluster.changes().since(position, changed::add)).isTrue();
    assertThat(changed).containsExactly(second, first);

    for (int i = 0; i < 20_000; i++) {
      cluster.put(node("n1").tree());
    }
    assertThat(cluster.changes().since(position, changed::add)).isFalse();
    assertThat(changed).hasSize(2);
  }

  @Test
  void domainsFollowTheLabelsOfNodes() {
    int first = cluster.put(node("n1").labelled("zone", "a").tree());
    TopologyColumn zones = cluster.topology("zone");
    int second = cluster.put(node("n2").labelled("zone", "b").tree());
    int third = cluster.put(node("n3").tree());
    assertThat(zones.value(zones.domain(first))).isEqualTo("a");
    assertThat(zones.value(zones.domain(second))).isEqualTo("b");
    assertThat(zones.domain(third)).isEqualTo(-1);
    assertThat(zones.domains()).isEqualTo(2);

    cluster.put(node("n1").labelled("zone", "b").tree());
    assertThat(zones.domain(first)).isEqualTo(zones.domain(second));
    assertThat(zones.nodes(zones.domain(first))).isEqualTo(2);

    cluster.put(node("n3").labelled("zone", "c").tree());
    assertThat(zones.domains()).as("the number of zone a is used again").isEqualTo(2);
    cluster.remove("n3");
    assertThat(zones.domain(third)).isEqualTo(-1);
  }

  @Test
  void nodesWithTheSameTaintsHaveTheSameNumber() {
    int first = cluster.put(node("n1").tainted("a=b:NoSchedule").tree());
    int second = cluster.put(node("n2").tree());
    int third = cluster.put(node("n3").tainted("a=b:NoSchedule").tree());
    assertThat(cluster.taintSet(first)).isEqualTo(cluster.taintSet(third));
    assertThat(cluster.taintSet(second)).isNotEqualTo(cluster.taintSet(third));
    assertThat(cluster.taints(cluster.taintSet(second))).isEmpty();
  }

  @Test
  void nominationsAreHeededByPodsOfNoHigherPriority() {
    PodInfo low = cluster.read(pod("low").with("spec.priority", 1L).tree());
    PodInfo middle = cluster.read(pod("middle").with("spec.priority", 5L).tree());
    PodInfo high = cluster.read(pod("high").with("spec.priority", 9L).tree());
    Nominations nominations = cluster.nominations();
    nominations.put(middle, "n1");
    assertThat(nominations.before(low, "n1")).containsExactly(middle);
    assertThat(nominations.before(high, "n1")).isEmpty();
    assertThat(nominations.before(middle, "n1")).as("not by the pod itself").isEmpty();

    PodInfo alike = cluster.read(pod("alike").with("spec.priority", 5L).tree());
    nominations.put(alike, "n1");
    nominations.put(middle, "n1");
    assertThat(nominations.before(middle, "n1")).as("it was the first").isEmpty();
    assertThat(nominations.before(alike, "n1")).containsExactly(middle);
    assertThat(nominations.before(low, "n1")).containsExactly(middle, alike);
    nominations.remove(alike);

    nominations.put(middle, "n2");
    assertThat(nominations.on("n1")).isEmpty();
    assertThat(nominations.nodeOf(middle)).isEqualTo("n2");
    nominations.remove(middle);
    assertThat(nominations.isEmpty()).isTrue();
  }

  static Stream<Arguments> scored() {
    return Stream.of(
        argumentSet("no containers", WEB, 0, 0),
        argumentSet("nothing requested", WEB.requesting(), 100, 200),
        argumentSet("requested", WEB.requesting("cpu", "1", "memory", "1Gi"), 1000, 1024),
        argumentSet("requested with zero", WEB.requesting("cpu", "0", "memory", "0"), 0, 0),
        argumentSet("one of the two", WEB.requesting("cpu", "10m"), 10, 200),
        argumentSet(
            "each container by itself",
            WEB.requesting("cpu", "1").requesting("memory", "1Mi"),
            1100,
            201),
        argumentSet(
            "an init container",
            WEB.requesting("cpu", "50m", "memory", "1Mi").initRequesting(),
            100,
            200),
        argumentSet("a sidecar", WEB.requesting("cpu", "1").sidecarRequesting(), 1100, 400),
        argumentSet(
            "the pod as a whole",
            WEB.requesting().with("spec.resources.requests", object("cpu", "2", "memory", "1Mi")),
            2000,
            1),
        argumentSet(
            "the pod as a whole, one of the two",
            WEB.requesting().requesting().with("spec.resources.requests", object("cpu", "2")),
            2000,
            400),
        argumentSet(
            "overhead comes on top",
            WEB.requesting().with("spec.overhead", object("cpu", "1", "memory", "1Mi")),
            1100,
            201));
  }

  @ParameterizedTest
  @MethodSource("scored")
  void assumesSomethingForPodsThatRequestNothing(PodFixture pod, long cpu, long mebibytes) {
    PodInfo read = cluster.read(pod.tree());
    assertThat(read.scoredCpu()).isEqualTo(cpu);
    assertThat(read.scoredMemory()).isEqualTo(mebibytes * MEBIBYTE);
  }

  static Stream<Arguments> alike() {
    PodFixture pod = WEB.requesting("cpu", "1");
    JsonObject token = object("name", "kube-api-access-x").with("projected", JsonObject.EMPTY);
    JsonObject claim =
        object("name", "data").with("persistentVolumeClaim", object("claimName", "data"));
    JsonObject ephemeral = object("name", "data").with("ephemeral", JsonObject.EMPTY);
    return Stream.of(
        argumentSet("the same", pod, pod, true),
        argumentSet("another name", pod, pod("db").requesting("cpu", "1"), true),
        argumentSet("other labels", pod, pod.labelled("index", "1"), true),
        argumentSet("a token's volume", pod, pod.with("spec.volumes", JsonArray.of(token)), true),
        argumentSet("other requests", pod, WEB.requesting("cpu", "2"), false),
        argumentSet("another namespace", pod, pod.with("metadata.namespace", "b"), false),
        argumentSet("a node selector", pod, pod.selectingNodes("disk", "ssd"), false),
        argumentSet("required nodes", pod, pod.requiringNodes(), false),
        argumentSet("on a node", pod, pod.on("n1"), true),
        argumentSet(
            "a toleration",
            pod,
            pod.tolerating(Toleration.exists("a", TaintEffect.NO_SCHEDULE)),
            false),
        argumentSet("a claim", pod, pod.with("spec.volumes", JsonArray.of(claim)), false),
        argumentSet(
            "claims that bear the pods' names",
            pod.with("spec.volumes", JsonArray.of(ephemeral)),
            pod("db").requesting("cpu", "1").with("spec.volumes", JsonArray.of(ephemeral)),
            false));
  }

  @ParameterizedTest
  @MethodSource("alike")
  void podsThatLocalPluginsCannotTellApartAreOfOneClass(
      PodFixture one, PodFixture other, boolean same) {
    PodClass first = cluster.read(one.tree()).podClass();
    PodClass second = cluster.read(other.tree()).podClass();
    assertThat(first.equals(second)).isEqualTo(same);
    if (same) {
      assertThat(first).isSameAs(second);
    }
  }
}
