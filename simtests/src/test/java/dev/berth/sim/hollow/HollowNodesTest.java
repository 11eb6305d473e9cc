package dev.berth.sim.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.route.RoutedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Hollow nodes live as real ones do: they register, renew, report, fall silent and come back. */
final class HollowNodesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static HollowCluster of(int nodes) {
    return new HollowCluster(7, HollowSettings.of(nodes).zones("a", "b")).start();
  }

  @Test
  void registerAndAreReadyAtOnce() {
    try (HollowCluster hollow = of(3)) {
      JsonObject node = hollow.node("hollow-1");
      assertThat(Metadata.of(node).labels().toString())
          .contains("\"kubernetes.io/hostname\":\"hollow-1\"")
          .contains("\"kubernetes.io/os\":\"linux\"")
          .contains("\"topology.kubernetes.io/zone\":\"b\"")
          .contains("\"topology.kubernetes.io/region\":\"hollow\"")
          .contains("\"hollow.berth.dev/managed\":\"true\"");
      JsonObject status = node.object("status");
      assertThat(status.object("allocatable").toString())
          .contains("\"cpu\":\"4\"")
          .contains("\"memory\":\"32Gi\"")
          .contains("\"pods\":\"110\"");
      assertThat(
              status.array("conditions").objects().stream()
                  .map(c -> c.text("type") + "=" + c.text("status") + " " + c.text("reason")))
          .containsExactly(
              "MemoryPressure=False KubeletHasSufficientMemory",
              "DiskPressure=False KubeletHasNoDiskPressure",
              "PIDPressure=False KubeletHasSufficientPID",
              "Ready=True KubeletReady");
      assertThat(hollow.metrics()).contains("hollow_nodes{state=\"ready\"} 3");
    }
  }

  /** Or else a real node beside them would wait for routes that nobody can make. */
  @Test
  void noRoutesLeadToThem() {
    try (HollowCluster hollow = of(1)) {
      assertThat(RoutedNode.read(hollow.node("hollow-0"))).isEmpty();
    }
  }

  /** As with a kubelet, and as Kubernetes' documentation has people advertise such resources. */
  @Test
  void extendedResourcesThatSomebodyWritesIntoTheCapacityMayBeUsed() {
    try (HollowCluster hollow = of(1)) {
      hollow.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("hollow-0"),
          "{'status':{'capacity':{'example.com/dongle':'4'}}}");
      hollow.advance(Duration.ofSeconds(11));
      assertThat(hollow.node("hollow-0").object("status").object("allocatable").toString())
          .contains("\"example.com/dongle\":\"4\"")
          .contains("\"cpu\":\"4\"");

      hollow.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("hollow-0"),
          "{'status':{'capacity':{'example.com/dongle':null}}}");
      hollow.advance(Duration.ofSeconds(11));
      assertThat(hollow.node("hollow-0").object("status").object("allocatable").toString())
          .doesNotContain("dongle")
          .contains("\"cpu\":\"4\"");
    }
  }

  @Test
  void leasesBelongToTheirNodesAndAreRenewedEveryTenSeconds() {
    try (HollowCluster hollow = of(20)) {
      JsonObject lease = hollow.lease("hollow-7");
      assertThat(lease.object("spec").text("holderIdentity")).isEqualTo("hollow-7");
      assertThat(lease.object("spec").integer("leaseDurationSeconds")).hasValue(40);
      assertThat(Metadata.of(lease).ownerReferences().getFirst().uid())
          .isEqualTo(Metadata.of(hollow.node("hollow-7")).uid());

      TreeSet<String> instants = new TreeSet<>();
      for (int i = 0; i < 600; i++) {
        hollow.advance(Duration.ofMillis(100));
        instants.add(hollow.renewTime("hollow-7"));
      }
      List<Instant> renewals = instants.stream().map(Times::parse).toList();
      assertThat(renewals).hasSizeBetween(6, 8);
      for (int i = 2; i < renewals.size(); i++) {
        assertThat(Duration.between(renewals.get(i - 1), renewals.get(i)))
            .isEqualTo(Duration.ofSeconds(10));
      }
    }
  }

  @Test
  void renewalsAreSpreadEvenly() {
    try (HollowCluster hollow = of(100)) {
      hollow.advance(Duration.ofSeconds(20));
      var perSecond =
          hollow.cluster.list(Resources.LEASES).stream()
              .map(lease -> Times.parse(lease.object("spec").text("renewTime", "")))
              .collect(Collectors.groupingBy(Instant::getEpochSecond, Collectors.counting()));
      assertThat(perSecond.values()).allSatisfy(n -> assertThat(n).isBetween(1L, 20L));
      assertThat(perSecond).hasSizeGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void statusIsPostedEveryFiveMinutesAlthoughNothingChanged() {
    try (HollowCluster hollow = of(2)) {
      String first = hollow.condition("hollow-0", "Ready").text("lastHeartbeatTime", "");
      hollow.advance(Duration.ofMinutes(6));
      JsonObject ready = hollow.condition("hollow-0", "Ready");
      assertThat(ready.text("lastHeartbeatTime", "")).isGreaterThan(first);
      assertThat(ready.text("lastTransitionTime", "")).isEqualTo(first);
    }
  }

  @Test
  void aSilentNodeSaysNothingUntilItIsToldToComeBack() {
    try (HollowCluster hollow = of(2)) {
      hollow.advance(Duration.ofSeconds(30));
      hollow.annotate("hollow-0", "{'hollow.berth.dev/silent':'true'}");
      String lease = hollow.renewTime("hollow-0");
      String revision = Metadata.of(hollow.node("hollow-0")).resourceVersion();

      hollow.advance(Duration.ofMinutes(10));
      assertThat(hollow.renewTime("hollow-0")).isEqualTo(lease);
      assertThat(Metadata.of(hollow.node("hollow-0")).resourceVersion()).isEqualTo(revision);
      assertThat(hollow.renewTime("hollow-1")).isGreaterThan(lease);
      assertThat(hollow.metrics()).contains("hollow_nodes{state=\"silent\"} 1");

      hollow.annotate("hollow-0", "{'hollow.berth.dev/silent':null}");
      assertThat(hollow.renewTime("hollow-0"))
          .isEqualTo(Times.formatMicro(hollow.cluster.time().now()));
      assertThat(hollow.condition("hollow-0", "Ready").text("lastHeartbeatTime"))
          .isEqualTo(Times.format(hollow.cluster.time().now()));
    }
  }

  @Test
  void aCallSilencesAndResumesToo() {
    try (HollowCluster hollow = of(1)) {
      hollow.nodes().silence("hollow-0");
      hollow.cluster.settle();
      String lease = hollow.renewTime("hollow-0");
      hollow.advance(Duration.ofMinutes(1));
      assertThat(hollow.renewTime("hollow-0")).isEqualTo(lease);
      hollow.nodes().resume("hollow-0");
      hollow.cluster.settle();
      assertThat(hollow.renewTime("hollow-0")).isGreaterThan(lease);
      assertThatThrownBy(() -> hollow.nodes().silence("hollow-9"))
          .hasMessage("There is no hollow node hollow-9 here.");
    }
  }

  @Test
  void whatTheControlPlaneSaidAboutALostNodeIsCorrectedWhenItIsBack() {
    try (HollowCluster hollow = of(1)) {
      hollow.nodes().silence("hollow-0");
      hollow.cluster.settle();
      hollow.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("hollow-0"),
          "{'status':{'conditions':[{'type':'Ready','status':'Unknown','reason':'NodeStatusUnknown'}]}}");
      hollow.advance(Duration.ofMinutes(1));
      assertThat(hollow.condition("hollow-0", "Ready").text("status")).isEqualTo("Unknown");
      hollow.nodes().resume("hollow-0");
      hollow.cluster.settle();
      JsonObject ready = hollow.condition("hollow-0", "Ready");
      assertThat(ready.text("status")).isEqualTo("True");
      assertThat(ready.text("lastTransitionTime"))
          .isEqualTo(Times.format(hollow.cluster.time().now()));
    }
  }

  @Test
  void pressureAndReadinessAreReportedAsToldAndGoWithTheAnnotation() {
    try (HollowCluster hollow = of(1)) {
      hollow.annotate(
          "hollow-0",
          "{'hollow.berth.dev/conditions':'MemoryPressure,NetworkUnavailable','hollow.berth.dev/not-ready':'disk"
              + " died'}");
      assertThat(hollow.condition("hollow-0", "MemoryPressure").text("reason"))
          .isEqualTo("KubeletHasInsufficientMemory");
      assertThat(hollow.condition("hollow-0", "NetworkUnavailable").text("status"))
          .isEqualTo("True");
      JsonObject ready = hollow.condition("hollow-0", "Ready");
      assertThat(ready.text("status")).isEqualTo("False");
      assertThat(ready.text("reason")).isEqualTo("KubeletNotReady");
      assertThat(ready.text("message")).isEqualTo("disk died");

      hollow.advance(SECOND);
      hollow.annotate(
          "hollow-0", "{'hollow.berth.dev/conditions':null,'hollow.berth.dev/not-ready':null}");
      for (String type : List.of("MemoryPressure", "NetworkUnavailable")) {
        assertThat(hollow.condition("hollow-0", type).text("status")).isEqualTo("False");
      }
      assertThat(hollow.condition("hollow-0", "Ready").text("status")).isEqualTo("True");
    }
  }

  @Test
  void warnsOfWhatItCannotSimulate() {
    try (HollowCluster hollow = of(1)) {
      hollow.annotate(
          "hollow-0",
          "{'hollow.berth.dev/conditions':'Sadness','hollow.berth.dev/memory-missing':'lots'}");
      assertThat(hollow.cluster.warnings())
          .containsExactly(
              "cannot simulate hollow.berth.dev/conditions: \"Sadness\" is none of"
                  + " [MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable]",
              "cannot simulate hollow.berth.dev/memory-missing: \"lots\" is no amount such as 2Gi");
    }
  }

  @Test
  void aDeletedLeaseIsMadeAgain() {
    try (HollowCluster hollow = of(1)) {
      hollow.cluster.delete(Resources.LEASES, new ObjectName("kube-node-lease", "hollow-0"));
      hollow.advance(Duration.ofSeconds(10));
      assertThat(Metadata.of(hollow.lease("hollow-0")).ownerReferences()).hasSize(1);
    }
  }

  @Test
  void aDeletedNodeStaysDeletedAndItsSuccessorIsTakenOver() {
    try (HollowCluster hollow = of(1)) {
      hollow.cluster.delete(Resources.NODES, ObjectName.of("hollow-0"));
      hollow.cluster.settle();
      String lease = hollow.renewTime("hollow-0");
      hollow.advance(Duration.ofMinutes(10));
      assertThat(hollow.cluster.list(Resources.NODES)).isEmpty();
      assertThat(hollow.renewTime("hollow-0")).isEqualTo(lease);
      assertThat(hollow.metrics()).contains("hollow_nodes{state=\"deleted\"} 1");

      hollow.cluster.create(Resources.NODES, "{'metadata':{'name':'hollow-0'}}");
      hollow.cluster.settle();
      JsonObject node = hollow.node("hollow-0");
      assertThat(Metadata.of(node).label("hollow.berth.dev/managed")).hasValue("true");
      assertThat(hollow.condition("hollow-0", "Ready").text("status")).isEqualTo("True");
      assertThat(Metadata.of(hollow.lease("hollow-0")).ownerReferences().getFirst().uid())
          .isEqualTo(Metadata.of(node).uid());
      assertThat(hollow.renewTime("hollow-0")).isGreaterThan(lease);
    }
  }

  @Test
  void nodesThatAreThereAlreadyAreTakenOver() {
    try (HollowCluster hollow = new HollowCluster(3, HollowSettings.of(2))) {
      hollow.cluster.create(
          Resources.NODES, "{'metadata':{'name':'hollow-1','labels':{'mine':'yes'}}}");
      hollow.start();
      Metadata metadata = Metadata.of(hollow.node("hollow-1"));
      assertThat(metadata.label("mine")).hasValue("yes");
      assertThat(metadata.label("hollow.berth.dev/managed")).hasValue("true");
      assertThat(hollow.condition("hollow-1", "Ready").text("status")).isEqualTo("True");
      assertThat(hollow.node("hollow-1").object("status").object("allocatable").text("cpu"))
          .isEqualTo("4");
    }
  }

  @Test
  void anAgentThatIsStartedAgainGoesOn() {
    try (HollowCluster hollow = of(2)) {
      hollow.pod("web", "hollow-0");
      hollow.advance(SECOND);
      JsonObject before = hollow.cluster.getPod("web");
      String uid = Metadata.of(hollow.node("hollow-0")).uid();
      hollow.cluster.restart("hollow");
      hollow.advance(Duration.ofSeconds(20));
      assertThat(Metadata.of(hollow.node("hollow-0")).uid()).isEqualTo(uid);
      assertThat(hollow.cluster.getPod("web")).isEqualTo(before);
      hollow.pod("more", "hollow-0");
      hollow.advance(SECOND);
      assertThat(hollow.status("more").text("podIP"))
          .isNotEqualTo(hollow.status("web").text("podIP"));
    }
  }

  @Test
  void nodesAreUnwellByChanceForAMinute() {
    HollowSettings settings = HollowSettings.of(50).notReadyPerHour(6);
    try (HollowCluster hollow = new HollowCluster(5, settings).start()) {
      int seen = 0;
      for (int i = 0; i < 20; i++) {
        hollow.advance(Duration.ofSeconds(30));
        seen +=
            (int)
                hollow.cluster.list(Resources.NODES).stream()
                    .filter(n -> n.toString().contains("KubeletNotReady"))
                    .count();
      }
      // 50 nodes, six times an hour, a minute each: five at a time.
      assertThat(seen / 20).isBetween(2, 9);
    }
  }

  @Test
  void failuresAreTriedAgainUntilEveryNodeIsThere() {
    for (long seed = 1; seed <= 20; seed++) {
      try (HollowCluster hollow = new HollowCluster(seed, HollowSettings.of(30))) {
        var faulty =
            new dev.berth.sim.FaultyApi(
                hollow.cluster.admin(), hollow.cluster.time().random("faults"));
        hollow.start(faulty);
        for (int i = 0; i < 10; i++) {
          hollow.pod("p" + i, "hollow-" + i);
        }
        hollow.advance(Duration.ofMinutes(1));
        hollow.delete("p3");
        hollow.advance(Duration.ofMinutes(2));
        assertThat(hollow.cluster.list(Resources.NODES)).as("seed " + seed).hasSize(30);
        assertThat(hollow.cluster.list(Resources.LEASES)).as("seed " + seed).hasSize(30);
        assertThat(hollow.exists("p3")).as("seed " + seed).isFalse();
        for (int i = 0; i < 10; i++) {
          assertThat(i == 3 || hollow.isReady("p" + i)).as("seed " + seed + " p" + i).isTrue();
        }
      }
    }
  }

  @Test
  void theSameSeedIsTheSameHistory() {
    assertThat(history(11)).isEqualTo(history(11)).isNotEqualTo(history(12));
  }

  private static String history(long seed) {
    HollowSettings settings =
        HollowSettings.of(20).zones("a", "b").crashesPerHour(20).notReadyPerHour(5);
    try (HollowCluster hollow = new HollowCluster(seed, settings).start()) {
      for (int i = 0; i < 40; i++) {
        hollow.pod("p" + i, "hollow-" + i % 20);
      }
      hollow.advance(Duration.ofMinutes(10));
      hollow.nodes().silence("hollow-3");
      hollow.advance(Duration.ofMinutes(10));
      return hollow.cluster.list(Resources.NODES).toString()
          + hollow.cluster.list(Resources.PODS)
          + hollow.cluster.list(Resources.LEASES);
    }
  }
}
