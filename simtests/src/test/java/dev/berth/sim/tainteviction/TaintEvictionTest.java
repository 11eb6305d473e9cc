package dev.berth.sim.tainteviction;

import static dev.berth.sim.VirtualCluster.podName;
import static dev.berth.sim.tainteviction.EvictionCluster.forEver;
import static dev.berth.sim.tainteviction.EvictionCluster.forSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows T3, T4, T5, T13 and T14: what NoExecute taints do to pods that run. */
class TaintEvictionTest {
  private static final String KEY1 = "key1=value1:NoExecute";

  private final EvictionCluster eviction = new EvictionCluster();
  private final VirtualCluster cluster = eviction.cluster();

  @BeforeEach
  void begin() {
    cluster.node("node1", "4");
    eviction.evict();
  }

  @AfterEach
  void close() {
    eviction.close();
  }

  /** The documentation's example: only the third taint remains, and a running pod stays. */
  @Test
  void ofThreeTaintsTheOneThatIsNotToleratedDoesNotEvict() {
    eviction.pod(
        "web", "node1", "{'key':'key1','value':'value1','effect':'NoSchedule'}", forEver());
    eviction.taint("node1", "key1=value1:NoSchedule", KEY1, "key2=value2:NoSchedule");

    eviction.advance(86_400);
    eviction.assertStays("web");

    eviction.taint(
        "node1", "key1=value1:NoSchedule", KEY1, "key2=value2:NoSchedule", "key2=value2:NoExecute");
    eviction.assertGone("web");
  }

  @Test
  void aPodThatDoesNotTolerateIsEvictedAtOnce() {
    eviction.pod("web", "node1");
    eviction.taint("node1", KEY1);
    eviction.assertGone("web");
  }

  @Test
  void aPodThatToleratesWithoutSecondsStaysForEver() {
    eviction.pod("web", "node1", forEver());
    eviction.taint("node1", KEY1);
    cluster.advance(Duration.ofDays(3650));
    eviction.assertStays("web");
  }

  @Test
  void aTolerationOf3600SecondsRunsOutAfter3600SecondsAndNotAfter3599() {
    eviction.pod("web", "node1", forSeconds(3600));
    eviction.taint("node1", KEY1);

    eviction.advance(3599);
    eviction.assertStays("web");
    cluster.advance(Duration.ofMillis(999));
    eviction.assertStays("web");

    cluster.advance(Duration.ofMillis(1));
    eviction.assertGone("web");
  }

  @Test
  void aTaintRemovedASecondBeforeEvictsNobody() {
    eviction.pod("web", "node1", forSeconds(3600));
    eviction.taint("node1", KEY1);
    eviction.advance(3599);
    eviction.untaint("node1");
    assertThat(eviction.events("web")).containsExactly("Cancelling deletion of Pod default/web");

    eviction.advance(86_400);
    eviction.assertStays("web");
  }

  @Test
  void theSmallestOfTheMatchingTolerationsCounts() {
    eviction.pod(
        "web",
        "node1",
        forSeconds(3600),
        "{'key':'key1','operator':'Exists','effect':'NoExecute','tolerationSeconds':60}",
        "{'operator':'Exists'}");
    eviction.taint("node1", KEY1);

    eviction.advance(59);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void aLongerTolerationMidwayIsCountedFromTheTaint() {
    eviction.pod("web", "node1", forSeconds(100));
    eviction.taint("node1", KEY1);
    eviction.advance(50);
    eviction.tolerate("web", forSeconds(200));

    eviction.advance(149);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void aShorterTolerationMidwayIsCountedFromTheTaint() {
    eviction.pod("web", "node1", forSeconds(3600));
    eviction.pod("late", "node1", forSeconds(3600));
    eviction.taint("node1", KEY1);
    eviction.advance(50);
    eviction.tolerate("web", forSeconds(60));
    eviction.tolerate("late", forSeconds(40));
    eviction.assertGone("late");

    eviction.advance(9);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void aTolerationThatIsForEverFromNowOnCancels() {
    eviction.pod("web", "node1", forSeconds(100));
    eviction.taint("node1", "other:NoExecute");
    eviction.assertGone("web");

    eviction.untaint("node1");
    eviction.pod("api", "node1", forSeconds(100));
    eviction.taint("node1", KEY1);
    eviction.advance(50);
    eviction.tolerate("api", forSeconds(1_000_000_000_000L));
    assertThat(eviction.events("api")).containsExactly("Cancelling deletion of Pod default/api");
    eviction.advance(86_400);
    eviction.assertStays("api");
  }

  @Test
  void aRestartDoesNotRestartTheCountdown() {
    eviction.pod("web", "node1", forSeconds(300));
    eviction.taint("node1", KEY1);
    eviction.advance(150);
    eviction.restart();

    eviction.advance(149);
    eviction.assertStays("web");
    eviction.advance(2);
    eviction.assertGone("web");
  }

  @Test
  void whoTakesOverGoesOnWithTheCountdown() {
    eviction.pod("web", "node1", forSeconds(300));
    eviction.taint("node1", KEY1);
    eviction.advance(150);
    eviction.crash();
    eviction.advance(100);
    cluster.run("another", () -> EvictionCluster.start(cluster, api -> api));

    eviction.advance(49);
    eviction.assertStays("web");
    eviction.advance(2);
    eviction.assertGone("web");
  }

  @Test
  void whatFellDueWhileNobodyWasThereIsDoneAtOnce() {
    eviction.pod("web", "node1", forSeconds(300));
    eviction.taint("node1", KEY1);
    eviction.crash();
    eviction.advance(1000);
    eviction.assertStays("web");

    eviction.evict();
    eviction.assertGone("web");
  }

  @Test
  void aRecreatedPodIsNotHitByItsPredecessorsTimer() {
    eviction.pod("web", "node1", forSeconds(300));
    eviction.taint("node1", KEY1);
    eviction.advance(299);
    cluster.delete(Resources.PODS, podName("web"));
    eviction.pod("web", "node1", forEver());

    eviction.advance(86_400);
    eviction.assertStays("web");
  }

  @Test
  void finishedPodsAreLeftAlone() {
    eviction.pod("done", "node1");
    eviction.pod("later", "node1", forSeconds(60));
    cluster.patchStatus(Resources.PODS, podName("done"), "{'status':{'phase':'Succeeded'}}");
    eviction.taint("node1", KEY1);
    cluster.patchStatus(Resources.PODS, podName("later"), "{'status':{'phase':'Failed'}}");

    eviction.advance(86_400);
    eviction.assertStays("done");
    eviction.assertStays("later");
    assertThat(eviction.disruption("later").isEmpty()).isTrue();
    assertThat(eviction.events("later")).isEmpty();
  }

  /** Row T4. */
  @Test
  void aPodWithANodeOfItsOwnLandsOnANoScheduleNodeAndIsEjectedFromANoExecuteNode() {
    eviction.taint("node1", "key1=value1:NoSchedule");
    eviction.pod("web", "node1");
    eviction.advance(86_400);
    eviction.assertStays("web");
    assertThat(cluster.nodeOf("web")).isEqualTo("node1");

    cluster.node("node2", "4");
    eviction.taint("node2", KEY1);
    eviction.pod("api", "node2");
    cluster.settle();
    eviction.assertGone("api");
  }

  /** Row T13, as far as the control plane goes. */
  @Test
  void podsOfAnUnreachableNodeStayTerminatingUntilSomebodyConfirms() {
    cluster.pod("web", "1", "{'nodeName':'node1','terminationGracePeriodSeconds':30}");
    cluster.patchStatus(Resources.PODS, podName("web"), "{'status':{'phase':'Running'}}");
    eviction.taint("node1", "node.kubernetes.io/unreachable:NoExecute");

    eviction.advance(299);
    eviction.assertStays("web");
    eviction.advance(1);
    assertThat(eviction.isTerminating("web")).isTrue();
    assertThat(cluster.getPod("web").object("metadata").integer("deletionGracePeriodSeconds"))
        .hasValue(30);

    eviction.advance(86_400);
    assertThat(eviction.isTerminating("web")).isTrue();
    cluster.delete(Resources.PODS, podName("web"));
    eviction.assertGone("web");
  }

  /** Row T14. */
  @Test
  void theOlderKeysStillTolerate() {
    eviction.pod(
        "old",
        "node1",
        "{'key':'node.alpha.kubernetes.io/unreachable','operator':'Exists','effect':'NoExecute','tolerationSeconds':6000}");
    eviction.taint("node1", "node.kubernetes.io/unreachable:NoExecute");

    eviction.advance(5999);
    eviction.assertStays("old");
    eviction.advance(1);
    eviction.assertGone("old");
  }

  @Test
  void anEvictedPodSaysWhyAndAnEventNamesTheTaint() {
    cluster.pod("web", "1", "{'nodeName':'node1','terminationGracePeriodSeconds':30}");
    cluster.patchStatus(Resources.PODS, podName("web"), "{'status':{'phase':'Running'}}");
    eviction.taint("node1", KEY1);

    assertThat(eviction.disruption("web").text("status")).isEqualTo("True");
    assertThat(eviction.disruption("web").text("reason")).isEqualTo("DeletionByTaintManager");
    assertThat(eviction.disruption("web").text("message"))
        .isEqualTo("Taint manager: deleting due to NoExecute taint");
    assertThat(eviction.events("web"))
        .containsExactly(
            "Marking for deletion Pod default/web because of taint key1=value1:NoExecute on node"
                + " node1");
    assertThat(cluster.metrics("node-controller"))
        .contains(
            "taint_eviction_controller_pod_deletions_total 1",
            "taint_eviction_controller_pod_deletion_duration_seconds_count 1");
  }

  @Test
  void aPodThatIsBoundLaterIsEvictedThen() {
    eviction.taint("node1", KEY1);
    cluster.pod("web", "1");
    eviction.advance(10);
    eviction.assertStays("web");

    bind("web");
    eviction.assertGone("web");
  }

  @Test
  void aPodThatIsThereBeforeItsNodeIsEvictedWhenTheNodeComesWithATaint() {
    eviction.pod("web", "node2");
    eviction.pod("api", "node2", forSeconds(10));
    eviction.advance(60);
    cluster.create(
        Resources.NODES,
        "{'metadata':{'name':'node2'},'spec':{'taints':[{'key':'key1','value':'value1','effect':'NoExecute'}]}}");
    cluster.settle();
    eviction.assertGone("web");
    eviction.advance(9);
    eviction.assertStays("api");
    eviction.advance(1);
    eviction.assertGone("api");
  }

  @Test
  void aNodeMadeAgainUnderItsNameCountsByItsOwnTaints() {
    eviction.pod("web", "node1", forSeconds(100));
    eviction.taint("node1", KEY1);
    eviction.advance(90);
    cluster.delete(Resources.NODES, ObjectName.of("node1"));
    cluster.node("node1", "4");
    eviction.advance(50);
    eviction.assertStays("web");

    eviction.taint("node1", KEY1);
    eviction.advance(99);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  @Test
  void anEditOfTheTaintsValueDoesNotRestartTheCountdown() {
    eviction.pod(
        "web",
        "node1",
        "{'key':'key1','operator':'Exists','effect':'NoExecute','tolerationSeconds':100}");
    eviction.taint("node1", KEY1);
    eviction.advance(60);
    eviction.taint("node1", "key1=value2:NoExecute");
    eviction.advance(39);
    eviction.assertStays("web");
    eviction.advance(1);
    eviction.assertGone("web");
  }

  /** Times in objects have whole seconds: this taint seems to be 850 ms older than it is. */
  @Test
  void aTolerationIsNotCutShortByAFractionOfASecond() {
    cluster.advance(Duration.ofMillis(850));
    eviction.pod("web", "node1", forSeconds(6));
    eviction.taint("node1", KEY1);

    cluster.advance(Duration.ofMillis(5_999));
    eviction.assertStays("web");
    cluster.advance(Duration.ofMillis(1));
    eviction.assertGone("web");
  }

  @Test
  void norByARestartWhichLengthensItByASecondAtMost() {
    cluster.advance(Duration.ofMillis(850));
    eviction.pod("web", "node1", forSeconds(6));
    eviction.taint("node1", KEY1);
    eviction.advance(3);
    eviction.restart();

    cluster.advance(Duration.ofMillis(2_999));
    eviction.assertStays("web");
    cluster.advance(Duration.ofMillis(1_001));
    eviction.assertGone("web");
  }

  /** Otherwise it would be evicted at once, and its successor too, for ever. */
  @Test
  void aPodThatComesToANodeThatWasTaintedLongAgoGetsItsFullTime() {
    eviction.taint("node1", KEY1);
    cluster.advance(Duration.ofMillis(999_500));
    eviction.pod("web", "node1", forSeconds(300));

    cluster.advance(Duration.ofMillis(299_999));
    eviction.assertStays("web");
    cluster.advance(Duration.ofMillis(1));
    eviction.assertGone("web");
  }

  @Test
  void soDoesAPodThatIsBoundAndNoRestartBeginsItAgain() {
    eviction.taint("node1", KEY1);
    cluster.pod("web", "1", "{'tolerations':[%s]}".formatted(forSeconds(300)));
    eviction.advance(1_000);
    bind("web");
    eviction.advance(200);
    eviction.restart();

    eviction.advance(99);
    eviction.assertStays("web");
    eviction.advance(2);
    eviction.assertGone("web");
  }

  private void bind(String pod) {
    cluster
        .admin()
        .create(
            Target.of(Resources.PODS, podName(pod)).subresource("binding"),
            VirtualCluster.tree(
                "{'kind':'Binding','apiVersion':'v1','metadata':{'name':'%s','namespace':'default'},'target':{'kind':'Node','name':'node1'}}"
                    .formatted(pod)));
    cluster.settle();
  }
}
