package dev.berth.sim.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows D1 to D5 and T12: one pod on each node, and it follows. */
class DaemonSetTest extends DaemonSetFixture {
  @Test
  void onePodOnEachNodeBoundByTheScheduler() {
    create();
    assertThat(images())
        .containsOnly(Map.entry("n1", "i1"), Map.entry("n2", "i1"), Map.entry("n3", "i1"));
    JsonObject pod =
        pods().stream()
            .filter(p -> p.object("spec").text("nodeName", "").equals("n1"))
            .findFirst()
            .orElseThrow();
    assertThat(pod.object("spec").object("affinity").toString())
        .isEqualTo(
            VirtualCluster.tree(
                    "{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':"
                        + "[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']}]}]}}}")
                .toString());
    assertThat(Metadata.of(pod).name()).matches("agent-[a-z0-9]{5}");
    assertThat(Metadata.of(pod).generateName()).isEqualTo("agent-");
    assertThat(Metadata.of(pod).isControlledBy(Metadata.of(daemonSet()).uid())).isTrue();
    assertThat(pod.object("spec").array("tolerations").toString())
        .contains("not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure")
        .contains("node.kubernetes.io/unschedulable")
        .doesNotContain("network-unavailable", "tolerationSeconds");
  }

  @Test
  void podsBeginPendingAndWaitForTheScheduler() {
    cluster.crash("scheduler");
    create();
    assertThat(images()).containsOnly(Map.entry("", "i1,i1,i1"));
    assertThat(status("desiredNumberScheduled")).isEqualTo(3);
    assertThat(status("numberReady")).isZero();
    cluster.schedule();
    cluster.advance(SECOND);
    assertThat(images()).hasSize(3);
  }

  @Test
  void podsFollowNodesThatAppearAndDisappearWithinASecond() {
    create();
    cluster.node("n4", "4");
    cluster.advance(SECOND);
    assertThat(images()).containsKey("n4");
    assertThat(status("desiredNumberScheduled")).isEqualTo(4);

    cluster.delete(Resources.NODES, ObjectName.of("n4"));
    cluster.advance(SECOND);
    assertThat(status("desiredNumberScheduled")).isEqualTo(3);
  }

  @Test
  void podsFollowLabelsWithinASecond() {
    create("'nodeSelector':{'disk':'ssd'},", "");
    assertThat(images()).containsOnlyKeys("n1", "n2");

    cluster.patch(Resources.NODES, ObjectName.of("n3"), "{'metadata':{'labels':{'disk':'ssd'}}}");
    cluster.patch(Resources.NODES, ObjectName.of("n1"), "{'metadata':{'labels':{'disk':null}}}");
    cluster.advance(SECOND);
    assertThat(images()).containsOnlyKeys("n2", "n3");
    assertThat(events("SuccessfulDelete")).isNotEmpty();
  }

  @Test
  void podsFollowTaintsWithinASecond() {
    create();
    cluster.taint("n1", "[{'key':'k','effect':'NoSchedule'}]");
    cluster.taint("n2", "[{'key':'k','effect':'NoExecute'}]");
    cluster.advance(SECOND);
    assertThat(images()).containsOnlyKeys("n1", "n3");
    assertThat(status("desiredNumberScheduled")).isEqualTo(1);
    assertThat(status("numberMisscheduled")).isEqualTo(1);

    cluster.taint("n1", "null");
    cluster.taint("n2", "null");
    cluster.advance(SECOND);
    assertThat(images()).containsOnlyKeys("n1", "n2", "n3");
    assertThat(status("numberMisscheduled")).isZero();
  }

  @Test
  void daemonPodsRunOnCordonedAndUnwellNodes() {
    cluster.patch(Resources.NODES, ObjectName.of("n1"), "{'spec':{'unschedulable':true}}");
    cluster.taint(
        "n1",
        "[{'key':'node.kubernetes.io/unschedulable','effect':'NoSchedule'},"
            + "{'key':'node.kubernetes.io/not-ready','effect':'NoExecute'},"
            + "{'key':'node.kubernetes.io/disk-pressure','effect':'NoSchedule'}]");
    cluster.taint("n2", "[{'key':'node.kubernetes.io/network-unavailable','effect':'NoSchedule'}]");
    create();
    assertThat(images()).containsOnlyKeys("n1", "n3");
  }

  @Test
  void podsThatUseTheNodesNetworkDoNotWaitForIt() {
    cluster.taint("n2", "[{'key':'node.kubernetes.io/network-unavailable','effect':'NoSchedule'}]");
    create("'hostNetwork':true,", "");
    assertThat(images()).containsOnlyKeys("n1", "n2", "n3");
  }

  @Test
  void aPodThatIsDeletedComesBack() {
    create();
    ObjectName victim = ObjectName.of(pods().getFirst());
    cluster.delete(Resources.PODS, victim);
    cluster.advance(SECOND);
    assertThat(images()).hasSize(3);
    assertThat(pods()).noneMatch(pod -> ObjectName.of(pod).equals(victim));
  }

  @Test
  void failedPodsAreReplacedWithBackOff() {
    create();
    kubelet.refuse("n1", "Evicted");
    String pod = podOn("n1");
    setStatus(Resources.PODS, VirtualCluster.podName(pod), "{'phase':'Failed','reason':'Evicted'}");
    cluster.settle();
    // The first is replaced at once, then after 1, 2, 4 and 8 seconds.
    cluster.advance(Duration.ofSeconds(29));
    assertThat(failures()).isEqualTo(5);
    // And then after 16, 32 and so on, up to 15 minutes.
    cluster.advance(Duration.ofMinutes(50));
    assertThat(failures()).isEqualTo(13);

    kubelet.accept("n1");
    cluster.advance(Duration.ofMinutes(16));
    assertThat(status("numberReady")).isEqualTo(3);
  }

  @Test
  void aNodeThatIsShuttingDownGetsNoPodThatItWouldRefuse() {
    create();
    kubelet.refuse("n1", "NodeShutdown");
    setStatus(
        Resources.NODES,
        ObjectName.of("n1"),
        "{'conditions':[{'type':'Ready','status':'False','reason':'KubeletNotReady','message':'node is shutting down'}]}");
    setStatus(
        Resources.PODS,
        VirtualCluster.podName(podOn("n1")),
        "{'phase':'Failed','reason':'Terminated','message':'Pod was terminated in response to imminent node shutdown.'}");
    List<String> before = written();
    cluster.advance(Duration.ofHours(2));
    assertThat(pods()).hasSize(3);
    assertThat(events("FailedDaemonPod")).isEmpty();
    assertThat(written()).isEqualTo(before);

    kubelet.accept("n1");
    setStatus(
        Resources.NODES,
        ObjectName.of("n1"),
        "{'conditions':[{'type':'Ready','status':'True','reason':'KubeletReady'}]}");
    cluster.advance(SECOND);
    assertThat(status("numberReady")).isEqualTo(3);
  }

  @Test
  void aPodThatWasRefusedByAShutdownWaitsForTheNodeToBeReady() {
    kubelet.refuse("n1", "NodeShutdown");
    setStatus(
        Resources.NODES,
        ObjectName.of("n1"),
        "{'conditions':[{'type':'Ready','status':'Unknown','reason':'NodeStatusUnknown'}]}");
    create();
    cluster.advance(Duration.ofHours(2));
    assertThat(events("FailedDaemonPod")).isEmpty();
    kubelet.accept("n1");
    setStatus(
        Resources.NODES, ObjectName.of("n1"), "{'conditions':[{'type':'Ready','status':'True'}]}");
    cluster.advance(SECOND);
    assertThat(status("numberReady")).isEqualTo(3);
  }

  @Test
  void withoutASchedulerTheControllerBindsByItself() {
    cluster.crash("scheduler");
    run(new DaemonSetSettings(false));
    cluster.patch(Resources.NODES, ObjectName.of("n1"), "{'spec':{'unschedulable':true}}");
    create();
    assertThat(images()).containsOnlyKeys("n1", "n2", "n3");
    assertThat(status("numberReady")).isEqualTo(3);
  }
}
