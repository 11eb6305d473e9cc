package dev.berth.sim.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.daemonset.DaemonSets;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows D1 to D5 and T12: one pod on each node, and it follows. */
class DaemonSetTest {
  private static final ObjectName AGENT = new ObjectName("default", "agent");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualCluster cluster = new VirtualCluster(1);
  private TestKubelet kubelet;

  @BeforeEach
  void start() {
    kubelet = TestKubelet.start(cluster.admin(), cluster.time());
    cluster.schedule();
    run(DaemonSetSettings.DEFAULT);
    cluster.node("n1", "4", "{'disk':'ssd'}");
    cluster.node("n2", "4", "{'disk':'ssd'}");
    cluster.node("n3", "4", "{'disk':'hdd'}");
  }

  @AfterEach
  void stop() {
    kubelet.close();
    cluster.close();
  }

  private void run(DaemonSetSettings settings) {
    cluster.run(
        "daemon-sets",
        () ->
            DaemonSets.start(
                cluster.parts(DaemonSets.ACCOUNT), settings, TolerationRules.STANDARD));
  }

  private void create(String podSpec, String further) {
    cluster.create(
        Resources.DAEMON_SETS,
        ("{'metadata':{'namespace':'default','name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},%s"
                + "'template':{'metadata':{'labels':{'app':'agent'}},'spec':{%s'terminationGracePeriodSeconds':5,"
                + "'containers':[{'name':'c','image':'i1'}]}}}}")
            .formatted(further, podSpec));
    cluster.advance(SECOND);
  }

  private void create() {
    create("", "");
  }

  private void setStatus(GroupVersionResource resource, ObjectName name, String status) {
    cluster.patchStatus(resource, name, "{'status':" + status + "}");
  }

  private void image(String image) {
    cluster.patch(
        Resources.DAEMON_SETS,
        AGENT,
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" + image + "'}]}}}}");
  }

  private List<JsonObject> pods() {
    return cluster.list(Resources.PODS);
  }

  /** Which nodes have a pod that is not on its way out, and of which image. */
  private Map<String, String> images() {
    Map<String, String> images = new TreeMap<>();
    for (JsonObject pod : pods()) {
      if (!Metadata.of(pod).isBeingDeleted()) {
        String node = pod.object("spec").text("nodeName", "");
        String image =
            pod.object("spec").array("containers").objects().getFirst().text("image", "");
        images.merge(node, image, (a, b) -> a + "," + b);
      }
    }
    return images;
  }

  private JsonObject status() {
    return daemonSet().object("status");
  }

  private JsonObject daemonSet() {
    return cluster.list(Resources.DAEMON_SETS).getFirst();
  }

  private long status(String field) {
    return status().integer(field).orElse(0);
  }

  private List<String> events(String reason) {
    return cluster.events("agent", reason);
  }

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
  void theStatusCounts() {
    create();
    cluster.advance(SECOND);
    assertThat(status())
        .isEqualTo(
            VirtualCluster.tree(
                "{'currentNumberScheduled':3,'numberMisscheduled':0,'desiredNumberScheduled':3,'numberReady':3,"
                    + "'observedGeneration':1,'updatedNumberScheduled':3,'numberAvailable':3}"));
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

  private long failures() {
    return cluster.list(Resources.EVENTS).stream()
        .filter(e -> e.text("reason", "").equals("FailedDaemonPod"))
        .mapToLong(e -> e.object("series").integer("count").orElse(1))
        .sum();
  }

  private String podOn(String node) {
    return pods().stream()
        .filter(p -> p.object("spec").text("nodeName", "").equals(node))
        .map(p -> Metadata.of(p).name())
        .findFirst()
        .orElseThrow();
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
    String before = cluster.revision();
    cluster.advance(Duration.ofHours(2));
    assertThat(pods()).hasSize(3);
    assertThat(events("FailedDaemonPod")).isEmpty();
    assertThat(Long.parseLong(cluster.revision()) - Long.parseLong(before)).isLessThan(4);

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

  @Test
  void aRollingUpdateKeepsToMaxUnavailable() {
    for (int i = 4; i <= 10; i++) {
      cluster.node("n" + i, "4");
    }
    create("", "'updateStrategy':{'rollingUpdate':{'maxUnavailable':'30%'}},");
    assertThat(images()).hasSize(10);
    kubelet.leaveUnready(true);
    image("i2");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images().values()).filteredOn("i2"::equals).hasSize(3);
    assertThat(status("updatedNumberScheduled")).isEqualTo(3);
    assertThat(status("numberUnavailable")).isEqualTo(3);

    kubelet.leaveUnready(false);
    pods()
        .forEach(pod ->
            setStatus(
                Resources.PODS,
                ObjectName.of(pod),
                "{'conditions':[{'type':'Ready','status':'True'}]}"));
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images().values()).containsOnly("i2").hasSize(10);
    assertThat(status("numberAvailable")).isEqualTo(10);
    assertThat(status("observedGeneration")).isEqualTo(2);
  }

  @Test
  void minReadySecondsHoldARollingUpdateBack() {
    create("", "'minReadySeconds':30,");
    cluster.advance(Duration.ofSeconds(31));
    assertThat(status("numberAvailable")).isEqualTo(3);
    image("i2");
    cluster.advance(Duration.ofSeconds(29));
    assertThat(images().values()).containsOnlyOnce("i2");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(images().values()).filteredOn("i2"::equals).hasSize(2);
    cluster.advance(Duration.ofSeconds(70));
    assertThat(images().values()).containsOnly("i2");
    assertThat(status("numberAvailable")).isEqualTo(3);
  }

  @Test
  void withSurgeTheNewPodComesBeforeTheOldOneGoes() {
    create("", "'updateStrategy':{'rollingUpdate':{'maxUnavailable':0,'maxSurge':1}},");
    kubelet.leaveUnready(true);
    image("i2");
    cluster.advance(SECOND);
    assertThat(images().values()).containsExactlyInAnyOrder("i1", "i1", "i1,i2");
    assertThat(status("numberAvailable")).isEqualTo(3);

    kubelet.leaveUnready(false);
    pods()
        .forEach(pod ->
            setStatus(
                Resources.PODS,
                ObjectName.of(pod),
                "{'conditions':[{'type':'Ready','status':'True'}]}"));
    cluster.advance(Duration.ofSeconds(10));
    assertThat(images().values()).containsExactly("i2", "i2", "i2");
  }

  @Test
  void onDeleteWaitsForSomebodyToDeleteThePods() {
    create("", "'updateStrategy':{'type':'OnDelete'},");
    image("i2");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images().values()).containsOnly("i1");
    assertThat(status("updatedNumberScheduled")).isZero();
    cluster.delete(Resources.PODS, VirtualCluster.podName(podOn("n2")));
    cluster.advance(SECOND);
    assertThat(images()).containsEntry("n2", "i2").containsEntry("n1", "i1");
    assertThat(status("updatedNumberScheduled")).isEqualTo(1);
  }

  @Test
  void revisionsAreKeptNumberedAndTruncated() {
    create("", "'revisionHistoryLimit':2,");
    for (int i = 2; i <= 5; i++) {
      image("i" + i);
      cluster.advance(Duration.ofMinutes(1));
    }
    assertThat(numbers()).containsExactly(3L, 4L, 5L);

    image("i4");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(numbers()).containsExactly(3L, 5L, 6L);
    assertThat(images().values()).containsOnly("i4");
  }

  private List<Long> numbers() {
    return cluster.list(Resources.CONTROLLER_REVISIONS).stream()
        .map(r -> r.integer("revision").orElse(0))
        .sorted()
        .toList();
  }

  @Test
  void podsAndRevisionsAreAdoptedAndLetGo() {
    create();
    List<String> before = pods().stream().map(p -> Metadata.of(p).uid()).sorted().toList();
    String hash = Metadata.of(pods().getFirst()).label("controller-revision-hash").orElse("");
    // As "kubectl delete --cascade=orphan" does.
    cluster.crash("daemon-sets");
    cluster.delete(Resources.DAEMON_SETS, AGENT);
    for (JsonObject pod : pods()) {
      cluster.patch(Resources.PODS, ObjectName.of(pod), "{'metadata':{'ownerReferences':null}}");
    }
    for (JsonObject revision : cluster.list(Resources.CONTROLLER_REVISIONS)) {
      cluster.patch(
          Resources.CONTROLLER_REVISIONS,
          ObjectName.of(revision),
          "{'metadata':{'ownerReferences':null}}");
    }
    cluster.restart("daemon-sets");
    create();
    assertThat(pods().stream().map(p -> Metadata.of(p).uid()).sorted().toList()).isEqualTo(before);
    assertThat(pods()).allMatch(p -> Metadata.of(p).isControlledBy(Metadata.of(daemonSet()).uid()));
    assertThat(status("updatedNumberScheduled")).isEqualTo(3);
    assertThat(numbers()).containsExactly(1L);
    assertThat(status("collisionCount")).isZero();

    ObjectName odd = ObjectName.of(pods().getFirst());
    cluster.patch(Resources.PODS, odd, "{'metadata':{'labels':{'app':'other'}}}");
    cluster.advance(SECOND);
    assertThat(pods()).hasSize(4);
    assertThat(Metadata.of(cluster.getPod(odd.name())).controller()).isEmpty();
    assertThat(hash).isNotEmpty();
  }

  @Test
  void aRevisionsNameThatIsTakenIsACollision() {
    create();
    JsonObject revision = cluster.list(Resources.CONTROLLER_REVISIONS).getFirst();
    cluster.crash("daemon-sets");
    cluster.delete(Resources.DAEMON_SETS, AGENT);
    pods().forEach(pod -> cluster.delete(Resources.PODS, ObjectName.of(pod)));
    cluster.patch(
        Resources.CONTROLLER_REVISIONS,
        ObjectName.of(revision),
        "{'metadata':{'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'agent','uid':'u','controller':true}]}}");
    cluster.restart("daemon-sets");
    create();
    assertThat(status("collisionCount")).isEqualTo(1);
    assertThat(status("numberReady")).isEqualTo(3);
    assertThat(cluster.list(Resources.CONTROLLER_REVISIONS)).hasSize(2);
  }

  @Test
  void nothingIsDoneAboutASetThatIsBeingDeleted() {
    create();
    cluster.patch(
        Resources.DAEMON_SETS, AGENT, "{'metadata':{'finalizers':['foregroundDeletion']}}");
    cluster.delete(Resources.DAEMON_SETS, AGENT);
    cluster.delete(Resources.PODS, VirtualCluster.podName(podOn("n1")));
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images()).containsOnlyKeys("n2", "n3");
  }

  @Test
  void aSetOfNoNodesHasAStatus() {
    create("'nodeSelector':{'disk':'tape'},", "");
    assertThat(status("observedGeneration")).isEqualTo(1);
    assertThat(status().has("desiredNumberScheduled")).isTrue();
    assertThat(pods()).isEmpty();
  }

  @Test
  void statusWritesAreFewHoweverManyPods() {
    for (int i = 4; i <= 300; i++) {
      cluster.node("n" + i, "4");
    }
    create();
    assertThat(images()).hasSize(300);
    assertThat(status("numberReady")).isEqualTo(300);
    long before = Long.parseLong(cluster.revision());
    pods()
        .forEach(pod ->
            setStatus(
                Resources.PODS,
                ObjectName.of(pod),
                "{'conditions':[{'type':'Ready','status':'False'}]}"));
    cluster.advance(SECOND);
    assertThat(status("numberReady")).isZero();
    assertThat(Long.parseLong(cluster.revision()) - before).isBetween(301L, 305L);
  }
}
