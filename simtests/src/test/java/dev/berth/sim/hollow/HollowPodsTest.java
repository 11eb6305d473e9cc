package dev.berth.sim.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.NodeSize;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Pods on hollow nodes start, run, crash, finish, stop and are refused as on real ones. */
final class HollowPodsTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  private static HollowCluster with(HollowSettings settings) {
    return new HollowCluster(1, settings).start();
  }

  private static HollowSettings slow() {
    return HollowSettings.of(2)
        .startLatency(Duration.ofSeconds(2))
        .stopLatency(Duration.ofSeconds(5));
  }

  @Test
  void aPodStartsRunsStopsAndIsGoneAtTheRightInstants() {
    try (HollowCluster hollow = with(slow())) {
      Instant bound = hollow.cluster.time().now();
      hollow.pod("web", "hollow-0");
      assertThat(hollow.phase("web")).isEqualTo("Pending");
      assertThat(hollow.container("web").object("state").toString())
          .isEqualTo("{\"waiting\":{\"reason\":\"ContainerCreating\"}}");
      assertThat(hollow.isReady("web")).isFalse();

      hollow.advance(Duration.ofSeconds(2).minus(MILLI));
      assertThat(hollow.phase("web")).isEqualTo("Pending");
      hollow.advance(MILLI);
      JsonObject status = hollow.status("web");
      assertThat(status.text("phase")).isEqualTo("Running");
      assertThat(status.text("startTime")).isEqualTo(Times.format(bound));
      assertThat(status.text("hostIP")).isEqualTo("172.16.0.1");
      assertThat(status.text("podIP")).isEqualTo("10.128.0.2");
      assertThat(status.text("qosClass")).isEqualTo("BestEffort");
      for (String type :
          new String[] {
            "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"
          }) {
        assertThat(Conditions.isTrue(status.array("conditions"), type)).as(type).isTrue();
      }
      assertThat(hollow.container("web").toString())
          .contains("\"startedAt\":\"" + Times.format(bound.plusSeconds(2)) + "\"")
          .contains("\"ready\":true")
          .contains("\"started\":true");

      hollow.delete("web");
      hollow.advance(Duration.ofSeconds(5).minus(MILLI));
      assertThat(hollow.isReady("web")).isTrue();
      hollow.advance(MILLI);
      assertThat(hollow.exists("web")).isFalse();
      assertThat(hollow.metrics()).contains("hollow_pods{phase=\"running\"} 0");
    }
  }

  @Test
  void aPodThatOutlivesItsDeletionSaysHowItEnded() {
    try (HollowCluster hollow = with(slow().withoutFinalStatus())) {
      hollow.pod(
          "web",
          "hollow-0",
          "{'finalizers':['example.com/hold']}",
          "{'terminationGracePeriodSeconds':3}");
      hollow.advance(Duration.ofSeconds(2));
      hollow.delete("web");
      hollow.advance(Duration.ofSeconds(3));
      // The grace period was shorter than what the containers need to stop.
      assertThat(hollow.container("web").object("state").object("terminated").integer("exitCode"))
          .hasValue(137);
      assertThat(hollow.phase("web")).isEqualTo("Failed");
      hollow.cluster.patch(
          Resources.PODS, VirtualCluster.podName("web"), "{'metadata':{'finalizers':null}}");
      hollow.cluster.settle();
      assertThat(hollow.exists("web")).isFalse();
    }
  }

  /** Row N6: an evicted pod stays and says why; the pressure ends with the annotation. */
  @Test
  void aPodThatIsEvictedForMemorySaysSo() {
    try (HollowCluster hollow = with(HollowSettings.of(1))) {
      hollow.pod("idle", "hollow-0", "{'annotations':{'hollow.berth.dev/memory-used':'0'}}", "{}");
      hollow.pod(
          "leak", "hollow-0", "{'annotations':{'hollow.berth.dev/memory-used':'2Gi'}}", "{}");
      hollow.advance(Duration.ofSeconds(1));
      hollow.annotate("hollow-0", "{'hollow.berth.dev/memory-missing':'1Gi'}");
      hollow.advance(Duration.ofSeconds(1));

      JsonObject status = hollow.status("leak");
      String message =
          "The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. ";
      assertThat(status.text("phase")).isEqualTo("Failed");
      assertThat(status.text("reason")).isEqualTo("Evicted");
      assertThat(status.text("message")).isEqualTo(message);
      JsonObject disruption =
          Conditions.find(status.array("conditions"), "DisruptionTarget").orElseThrow();
      assertThat(disruption.text("status")).isEqualTo("True");
      assertThat(disruption.text("reason")).isEqualTo("TerminationByKubelet");
      assertThat(disruption.text("message")).isEqualTo(message);
      assertThat(hollow.cluster.events("leak", "Evicted")).hasSize(1);
      assertThat(hollow.isReady("idle")).isTrue();
      assertThat(hollow.condition("hollow-0", "MemoryPressure").text("status")).isEqualTo("True");

      hollow.annotate("hollow-0", "{'hollow.berth.dev/memory-missing':null}");
      assertThat(hollow.condition("hollow-0", "MemoryPressure").text("status")).isEqualTo("False");
    }
  }

  @Test
  void aPreStopHookTakesItsTimeBeforeTheContainersStop() {
    try (HollowCluster hollow = with(slow())) {
      hollow.pod(
          "web",
          "hollow-0",
          "{}",
          "{'containers':[{'name':'c','image':'i','lifecycle':{'preStop':{'sleep':{'seconds':10}}}}]}");
      hollow.advance(Duration.ofSeconds(2));
      hollow.delete("web");
      hollow.advance(Duration.ofSeconds(15).minus(MILLI));
      assertThat(hollow.exists("web")).isTrue();
      hollow.advance(MILLI);
      assertThat(hollow.exists("web")).isFalse();
    }
  }

  @Test
  void aSecondDeletionWithLessGraceIsQuicker() {
    try (HollowCluster hollow = with(slow().stopLatency(Duration.ofSeconds(30)))) {
      hollow.pod("web", "hollow-0");
      hollow.advance(Duration.ofSeconds(2));
      hollow.delete("web");
      hollow.advance(Duration.ofSeconds(1));
      assertThat(
              hollow
                  .cluster
                  .admin()
                  .delete(
                      Resources.PODS, VirtualCluster.podName("web"), DeleteOptions.NONE.grace(2))
                  .isDone())
          .isTrue();
      hollow.advance(Duration.ofSeconds(2).minus(MILLI));
      assertThat(hollow.exists("web")).isTrue();
      hollow.advance(MILLI);
      assertThat(hollow.exists("web")).isFalse();
    }
  }

  @Test
  void aForcedDeletionFreesTheNodeAtOnce() {
    try (HollowCluster hollow =
        with(HollowSettings.of(1).size(new NodeSize("1", "1Gi", "1Gi", 1)))) {
      hollow.pod("one", "hollow-0");
      hollow.advance(Duration.ofSeconds(1));
      hollow.cluster.delete(Resources.PODS, VirtualCluster.podName("one"));
      hollow.cluster.settle();
      hollow.pod("two", "hollow-0");
      hollow.advance(Duration.ofSeconds(1));
      assertThat(hollow.phase("two")).isEqualTo("Running");
      assertThat(hollow.status("two").text("podIP")).isEqualTo("10.128.0.2");
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (HollowCluster hollow = with(HollowSettings.of(2))) {
      String half =
          "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'2500m'}}}]}";
      hollow.pod("one", "hollow-0", "{}", half);
      hollow.pod("two", "hollow-0", "{}", half);
      hollow.advance(Duration.ofSeconds(1));
      assertThat(hollow.phase("one")).isEqualTo("Running");
      JsonObject refused = hollow.status("two");
      assertThat(refused.text("phase")).isEqualTo("Failed");
      assertThat(refused.text("reason")).isEqualTo("OutOfcpu");
      assertThat(refused.text("message"))
          .isEqualTo(
              "Pod was rejected: Node didn't have enough resource: cpu, requested: 2500, used:"
                  + " 2500, capacity: 4000");
      assertThat(hollow.cluster.events("two", "OutOfcpu")).hasSize(1);

      hollow.pod("picky", "hollow-0", "{}", "{'nodeSelector':{'disk':'fast'}}");
      assertThat(hollow.status("picky").text("reason")).isEqualTo("NodeAffinity");

      hollow.cluster.taint("hollow-1", "[{'key':'k','effect':'NoExecute'}]");
      hollow.cluster.settle();
      hollow.pod("weak", "hollow-1");
      assertThat(hollow.status("weak").text("reason")).isEqualTo("TaintToleration");
      hollow.pod("strong", "hollow-1", "{}", "{'tolerations':[{'operator':'Exists'}]}");
      hollow.advance(Duration.ofSeconds(1));
      assertThat(hollow.phase("strong")).isEqualTo("Running");
      assertThat(hollow.metrics()).contains("hollow_pods_refused_total{reason=\"OutOfcpu\"} 1");
    }
  }

  @Test
  void podsOfASilentNodeRunOnAndWhatWasDeletedGoesWhenItIsBack() {
    try (HollowCluster hollow = with(slow())) {
      hollow.pod("stays", "hollow-0");
      hollow.pod("goes", "hollow-0");
      hollow.advance(Duration.ofSeconds(3));
      hollow.annotate("hollow-0", "{'hollow.berth.dev/silent':'true'}");
      hollow.delete("goes");
      hollow.pod("late", "hollow-0");
      hollow.cluster.patchStatus(
          Resources.PODS,
          VirtualCluster.podName("stays"),
          "{'status':{'conditions':[{'type':'Ready','status':'False','reason':'NodeNotReady'}]}}");
      hollow.advance(Duration.ofHours(1));
      assertThat(hollow.exists("goes")).isTrue();
      assertThat(hollow.phase("late")).isEqualTo("Pending");
      assertThat(hollow.isReady("stays")).isFalse();

      hollow.annotate("hollow-0", "{'hollow.berth.dev/silent':null}");
      assertThat(hollow.isReady("stays")).isTrue();
      hollow.advance(Duration.ofSeconds(5));
      assertThat(hollow.exists("goes")).isFalse();
      assertThat(hollow.phase("late")).isEqualTo("Running");
      assertThat(hollow.container("stays").integer("restartCount")).hasValue(0);
    }
  }

  @Test
  void whatOthersSayAboutAReadyPodIsCorrectedAfterAWhile() {
    try (HollowCluster hollow = with(HollowSettings.of(1))) {
      hollow.pod("web", "hollow-0");
      hollow.advance(Duration.ofSeconds(1));
      hollow.cluster.patchStatus(
          Resources.PODS,
          VirtualCluster.podName("web"),
          "{'status':{'conditions':[{'type':'Ready','status':'False'}]}}");
      hollow.advance(Duration.ofSeconds(9));
      assertThat(hollow.isReady("web")).isFalse();
      hollow.advance(Duration.ofSeconds(1));
      assertThat(hollow.isReady("web")).isTrue();
    }
  }

  @Test
  void containersEndByThemselvesAsTheirPodsAnnotationsSay() {
    try (HollowCluster hollow = with(HollowSettings.of(1).startLatency(Duration.ZERO))) {
      String minute =
          "{'annotations':{'hollow.berth.dev/run-for':'1m','hollow.berth.dev/exit-code':'%d'}}";
      hollow.pod("done", "hollow-0", minute.formatted(0), "{'restartPolicy':'OnFailure'}");
      hollow.pod("failed", "hollow-0", minute.formatted(3), "{'restartPolicy':'Never'}");
      hollow.pod("again", "hollow-0", minute.formatted(3), "{'restartPolicy':'OnFailure'}");
      hollow.advance(Duration.ofMinutes(1).minus(MILLI));
      assertThat(hollow.phase("done")).isEqualTo("Running");
      hollow.advance(MILLI);
      assertThat(hollow.phase("done")).isEqualTo("Succeeded");
      assertThat(hollow.container("done").object("state").object("terminated").text("reason"))
          .isEqualTo("Completed");
      assertThat(hollow.phase("failed")).isEqualTo("Failed");
      assertThat(
              hollow.container("failed").object("state").object("terminated").integer("exitCode"))
          .hasValue(3);
      assertThat(hollow.phase("again")).isEqualTo("Running");
      assertThat(hollow.container("again").integer("restartCount")).hasValue(1);
      hollow.delete("done");
      assertThat(hollow.exists("done")).isFalse();
    }
  }

  @Test
  void aContainerThatCrashesAgainAndAgainWaitsLongerEachTime() {
    try (HollowCluster hollow = with(HollowSettings.of(1).startLatency(Duration.ZERO))) {
      hollow.pod(
          "bad",
          "hollow-0",
          "{'annotations':{'hollow.berth.dev/run-for':'1s','hollow.berth.dev/exit-code':'1'}}",
          "{}");
      hollow.advance(Duration.ofSeconds(1));
      assertThat(hollow.container("bad").integer("restartCount")).hasValue(1);
      hollow.advance(Duration.ofSeconds(1));
      JsonObject waiting = hollow.container("bad").object("state").object("waiting");
      assertThat(waiting.text("reason")).isEqualTo("CrashLoopBackOff");
      assertThat(waiting.text("message", ""))
          .startsWith("back-off 10s restarting failed container=c pod=bad_default(");
      assertThat(hollow.phase("bad")).isEqualTo("Running");
      assertThat(hollow.isReady("bad")).isFalse();
      hollow.advance(Duration.ofSeconds(10).minus(MILLI));
      assertThat(hollow.container("bad").integer("restartCount")).hasValue(1);
      hollow.advance(MILLI);
      assertThat(hollow.container("bad").integer("restartCount")).hasValue(2);
      assertThat(hollow.isReady("bad")).isTrue();
      hollow.advance(Duration.ofSeconds(1 + 20));
      assertThat(hollow.container("bad").integer("restartCount")).hasValue(3);
      hollow.advance(Duration.ofHours(1));
      assertThat(hollow.container("bad").object("state").toString()).contains("back-off 5m0s");
    }
  }

  @Test
  void podsCrashByChanceAsOftenAsTheyAreToldTo() {
    HollowSettings settings = HollowSettings.of(10).crashesPerHour(2);
    try (HollowCluster hollow = with(settings)) {
      for (int i = 0; i < 50; i++) {
        hollow.pod("p" + i, "hollow-" + i % 10);
      }
      hollow.advance(Duration.ofHours(2));
      long restarts = 0;
      for (int i = 0; i < 50; i++) {
        restarts += hollow.container("p" + i).integer("restartCount").orElse(0);
      }
      // 50 pods, twice an hour, for two hours.
      assertThat(restarts).isBetween(150L, 250L);
    }
  }

  @Test
  void initContainersEndBeforeTheOthersRunAndSidecarsStay() {
    try (HollowCluster hollow = with(slow())) {
      hollow.pod(
          "web",
          "hollow-0",
          "{}",
          "{'initContainers':[{'name':'i','image':'i'},{'name':'s','image':'i','restartPolicy':'Always'}]}");
      JsonObject pending = hollow.status("web");
      assertThat(
              Conditions.find(pending.array("conditions"), "Initialized")
                  .orElseThrow()
                  .text("message"))
          .isEqualTo("containers with incomplete status: [i s]");
      assertThat(hollow.container("web").toString()).contains("PodInitializing");
      hollow.advance(Duration.ofSeconds(2));
      var inits = hollow.status("web").array("initContainerStatuses").objects();
      assertThat(inits.get(0).object("state").object("terminated").text("reason"))
          .isEqualTo("Completed");
      assertThat(inits.get(1).object("state").has("running")).isTrue();
      assertThat(hollow.isReady("web")).isTrue();
    }
  }

  @Test
  void podsHaveAddressesOfTheirNodesRangesAndHostNetworkPodsTheirNodes() {
    try (HollowCluster hollow = with(HollowSettings.of(1).startLatency(Duration.ZERO))) {
      hollow.cluster.patch(
          Resources.NODES,
          ObjectName.of("hollow-0"),
          "{'spec':{'podCIDR':'10.3.4.0/24','podCIDRs':['10.3.4.0/24','fd00:1::/64']}}");
      hollow.cluster.settle();
      hollow.pod("one", "hollow-0");
      hollow.pod("two", "hollow-0");
      hollow.pod("host", "hollow-0", "{}", "{'hostNetwork':true}");
      assertThat(hollow.status("one").array("podIPs").toString())
          .isEqualTo("[{\"ip\":\"10.3.4.2\"},{\"ip\":\"fd00:1::2\"}]");
      assertThat(hollow.status("two").text("podIP")).isEqualTo("10.3.4.3");
      assertThat(hollow.status("host").text("podIP")).isEqualTo("172.16.0.1");
    }
  }
}
