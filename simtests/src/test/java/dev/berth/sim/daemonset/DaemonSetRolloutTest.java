package dev.berth.sim.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row D3: how new templates reach the nodes, and what the status and the revisions say of it. */
class DaemonSetRolloutTest extends DaemonSetFixture {
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

  @ParameterizedTest
  @ValueSource(strings = {"'maxUnavailable':1", "'maxUnavailable':0,'maxSurge':1"})
  void anOutdatedPodGoesFromANodeThatGetsNoNewOne(String strategy) {
    create("", "'updateStrategy':{'rollingUpdate':{" + strategy + "}},");
    cluster.taint("n2", "[{'key':'mine','effect':'NoSchedule'}]");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images()).as("what is there stays").hasSize(3);

    image("i2");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(images()).containsOnlyKeys("n1", "n3").containsEntry("n1", "i2");
    assertThat(status("numberMisscheduled")).isZero();
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
