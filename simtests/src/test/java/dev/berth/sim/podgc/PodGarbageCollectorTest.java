package dev.berth.sim.podgc;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiWatch;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.controllers.podgc.PodGarbageCollector;
import dev.berth.controllers.podgc.PodGarbageCollectorSettings;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.model.meta.Conditions;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that nobody else deletes: row W1's collection, and the taint's part of row N15. */
class PodGarbageCollectorTest {
  private static final String SLOW = "'terminationGracePeriodSeconds':30";

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void begin() {
    cluster.node("node1", "4");
    collect(PodGarbageCollectorSettings.DEFAULT);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void collect(PodGarbageCollectorSettings settings) {
    cluster.run(
        "pod-collection",
        () ->
            PodGarbageCollector.start(
                cluster.parts(PodGarbageCollector.ACCOUNT), settings, TolerationRules.STANDARD));
  }

  private void evict() {
    cluster.run(
        "taint-eviction",
        () -> TaintEviction.start(cluster.parts(TaintEviction.ACCOUNT), TolerationRules.STANDARD));
  }

  private void running(String name, String spec) {
    cluster.pod(name, "10m", "{'nodeName':'node1'," + SLOW + spec + "}");
    phase(name, "Running");
  }

  private void phase(String name, String phase) {
    cluster.patchStatus(Resources.PODS, podName(name), "{'status':{'phase':'" + phase + "'}}");
  }

  private void deleteGently(String name) {
    cluster.admin().delete(Resources.PODS, podName(name), DeleteOptions.NONE);
    cluster.settle();
  }

  private void ready(String status) {
    cluster.patchStatus(
        Resources.NODES,
        ObjectName.of("node1"),
        "{'status':{'conditions':[{'type':'Ready','status':'" + status + "'}]}}");
    cluster.settle();
  }

  private void outOfService(String effect) {
    cluster.taint(
        "node1",
        "[{'key':'node.kubernetes.io/out-of-service','value':'nodeshutdown','effect':'%s'}]"
            .formatted(effect));
    cluster.settle();
  }

  private boolean isTerminating(String name) {
    return cluster.exists(name) && cluster.getPod(name).object("metadata").has("deletionTimestamp");
  }

  private void advance(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  /** What was last seen of a pod that is gone. */
  private JsonObject lastSeen(ApiWatch watch, String name) {
    JsonObject last = JsonObject.EMPTY;
    while (watch.poll(100) instanceof ApiWatch.Poll.Events(List<ApiWatch.Event> events, var _)
        && !events.isEmpty()) {
      for (ApiWatch.Event event : events) {
        if (ObjectName.of(event.object()).equals(podName(name))) {
          last = event.object();
        }
      }
    }
    return last;
  }

  private ApiWatch watchPods() {
    return cluster
        .admin()
        .watch(ListRequest.of(Resources.PODS).watchAfter(cluster.revision()), () -> {});
  }

  @Test
  void podsOfADeletedNodeGoAfterTheQuarantineAndSayWhy() {
    running("web", "");
    cluster.pod("elsewhere", "10m");
    ApiWatch watch = watchPods();
    cluster.delete(Resources.NODES, ObjectName.of("node1"));
    advance(39);
    assertThat(cluster.exists("web")).isTrue();
    assertThat(isTerminating("web")).isFalse();

    advance(1);
    assertThat(cluster.exists("web")).isFalse();
    assertThat(cluster.exists("elsewhere")).isTrue();
    JsonObject status = lastSeen(watch, "web").object("status");
    assertThat(status.text("phase")).isEqualTo("Failed");
    JsonObject why = Conditions.find(status.array("conditions"), "DisruptionTarget").orElseThrow();
    assertThat(why.text("reason")).isEqualTo("DeletionByPodGC");
    assertThat(why.text("message")).isEqualTo("PodGC: node no longer exists");
    assertThat(why.integer("observedGeneration")).hasValue(1);
    assertThat(status.integer("observedGeneration")).hasValue(1);
    assertThat(cluster.metrics(PodGarbageCollector.ACCOUNT))
        .contains(
            "pod_gc_collector_force_delete_pods_total{namespace=\"default\",reason=\"orphaned\"} 1");
    watch.close();
  }

  @Test
  void podsOfANodeThatComesBackInTimeStay() {
    running("web", "");
    cluster.delete(Resources.NODES, ObjectName.of("node1"));
    advance(30);
    cluster.node("node1", "4");
    advance(3600);
    assertThat(isTerminating("web")).isFalse();
    assertThat(cluster.exists("web")).isTrue();
  }

  @Test
  void podsWhoseNodeWentWhileNobodyWasThereGoToo() {
    running("web", "");
    cluster.crash("pod-collection");
    cluster.delete(Resources.NODES, ObjectName.of("node1"));
    cluster.pod("never", "10m", "{'nodeName':'ghost'}");
    advance(3600);

    collect(PodGarbageCollectorSettings.DEFAULT);
    advance(40);
    assertThat(cluster.exists("web")).isFalse();
    assertThat(cluster.exists("never")).isFalse();
  }

  @Test
  void aPodThatComesForANodeThatIsGoneWaitsForItsOwnQuarantine() {
    running("web", "");
    cluster.delete(Resources.NODES, ObjectName.of("node1"));
    advance(40);
    assertThat(cluster.exists("web")).isFalse();
    advance(100);
    cluster.pod("late", "10m", "{'nodeName':'node1'}");
    advance(39);
    assertThat(cluster.exists("late")).isTrue();
    advance(1);
    assertThat(cluster.exists("late")).isFalse();
  }

  @Test
  void ofTooManyFinishedPodsTheEvictedAndThenTheOldestGo() {
    collect(
        new PodGarbageCollectorSettings(Duration.ofSeconds(20), 2, Duration.ofSeconds(40), true));
    for (String name : List.of("oldest", "older", "evicted", "young", "youngest")) {
      running(name, "");
      advance(1);
    }
    running("still", "");
    for (String name : List.of("oldest", "older", "young", "youngest")) {
      phase(name, "Succeeded");
    }
    cluster.patchStatus(
        Resources.PODS, podName("evicted"), "{'status':{'phase':'Failed','reason':'Evicted'}}");
    advance(20);
    assertThat(List.of("oldest", "older", "evicted", "young", "youngest", "still"))
        .filteredOn(cluster::exists)
        .containsExactly("young", "youngest", "still");
    assertThat(cluster.metrics(PodGarbageCollector.ACCOUNT))
        .contains(
            "pod_gc_collector_force_delete_pods_total{namespace=\"default\",reason=\"terminated\"}"
                + " 3");
  }

  @Test
  void withoutAThresholdFinishedPodsStay() {
    collect(
        new PodGarbageCollectorSettings(Duration.ofSeconds(20), 0, Duration.ofSeconds(40), true));
    running("web", "");
    phase("web", "Succeeded");
    advance(3600);
    assertThat(cluster.exists("web")).isTrue();
  }

  /** Only a finalizer keeps such a pod; whoever holds it waits to be told how it ended. */
  @Test
  void aPodThatTerminatesWithoutANodeIsMarkedFailedAtOnce() {
    cluster.pod("web", "10m");
    cluster.patch(
        Resources.PODS, podName("web"), "{'metadata':{'finalizers':['example.com/hold']}}");
    deleteGently("web");

    assertThat(cluster.getPod("web").object("status").text("phase")).isEqualTo("Failed");
    cluster.patch(Resources.PODS, podName("web"), "{'metadata':{'finalizers':null}}");
    cluster.settle();
    assertThat(cluster.exists("web")).isFalse();
    assertThat(cluster.metrics(PodGarbageCollector.ACCOUNT))
        .contains(
            "pod_gc_collector_force_delete_pods_total{namespace=\"default\",reason=\"unscheduled\"}"
                + " 1");
  }

  /** Row N15: what terminates on a node that is down goes at once when that is said. */
  @Test
  void podsThatTerminateOnANodeOutOfServiceAreDeletedByForce() {
    running("web", "");
    ready("Unknown");
    deleteGently("web");
    advance(3600);
    assertThat(isTerminating("web")).isTrue();

    ApiWatch watch = watchPods();
    outOfService("NoSchedule");
    assertThat(cluster.exists("web")).isFalse();
    assertThat(lastSeen(watch, "web").object("status").text("phase")).isEqualTo("Failed");
    assertThat(cluster.metrics(PodGarbageCollector.ACCOUNT))
        .contains(
            "pod_gc_collector_force_delete_pods_total{namespace=\"default\",reason=\"out-of-service\"}"
                + " 1");
    watch.close();
  }

  @Test
  void withNoExecuteThePodsAreEvictedAndDeletedByForceAtOnce() {
    evict();
    running("web", "");
    running(
        "spared",
        ",'tolerations':[{'key':'node.kubernetes.io/out-of-service','operator':'Exists'}]");
    ready("Unknown");
    outOfService("NoExecute");
    assertThat(cluster.exists("web")).isFalse();
    assertThat(isTerminating("spared")).isFalse();

    deleteGently("spared");
    advance(3600);
    assertThat(isTerminating("spared")).isTrue();
  }

  @Test
  void withNoScheduleAPodThatRunsStaysUntilSomethingElseEndsIt() {
    evict();
    running("web", "");
    ready("Unknown");
    outOfService("NoSchedule");
    advance(3600);
    assertThat(isTerminating("web")).isFalse();

    deleteGently("web");
    assertThat(cluster.exists("web")).isFalse();
  }

  @Test
  void withoutNodeOutOfServiceVolumeDetachTheyStay() {
    collect(
        new PodGarbageCollectorSettings(
            Duration.ofSeconds(20), 12_500, Duration.ofSeconds(40), false));
    running("web", "");
    ready("Unknown");
    deleteGently("web");
    outOfService("NoSchedule");
    assertThat(isTerminating("web")).isTrue();
  }

  @Test
  void aNodeThatIsReadyIsNotOutOfServiceWhateverItsTaintsSay() {
    evict();
    running("web", "");
    outOfService("NoExecute");
    advance(3600);
    assertThat(isTerminating("web")).isTrue();

    ready("False");
    assertThat(cluster.exists("web")).isFalse();
  }

  @Test
  void aTolerationThatRunsOutSparesAPodUntilThen() {
    evict();
    running(
        "web",
        ",'tolerations':[{'key':'node.kubernetes.io/out-of-service','operator':'Exists','effect':'NoExecute','tolerationSeconds':100}]");
    ready("Unknown");
    outOfService("NoExecute");
    deleteGently("web");
    advance(99);
    assertThat(isTerminating("web")).isTrue();
    // It may have been tainted up to a second after the whole second that is written.
    advance(1 + 20);
    assertThat(cluster.exists("web")).isFalse();
  }
}
