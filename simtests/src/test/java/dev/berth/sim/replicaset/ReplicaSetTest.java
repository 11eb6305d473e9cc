package dev.berth.sim.replicaset;

import static dev.berth.client.Resources.NAMESPACES;
import static dev.berth.client.Resources.PODS;
import static dev.berth.client.Resources.REPLICATION_CONTROLLERS;
import static dev.berth.client.Resources.REPLICA_SETS;
import static dev.berth.sim.replicaset.WorkloadFixture.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.controllers.replication.ReplicationManager;
import dev.berth.controllers.resourcequota.ResourceQuotaController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.StallingApi;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replica sets have as many pods as they say, whatever becomes of them. */
class ReplicaSetTest {
  private static final GroupVersionResource QUOTAS =
      new GroupVersionResource("", "v1", "resourcequotas");

  private static final List<String> NODES = List.of("n0", "n1", "n2", "n3", "n4");

  private final WorkloadFixture workloads = WorkloadFixture.start(Duration.ofSeconds(2));

  @AfterEach
  void close() {
    workloads.close();
  }

  @Test
  void createsWhatIsMissingAndCountsWhatIsReady() {
    workloads.set("web", 3);
    workloads.advance(1);
    assertThat(workloads.pods()).hasSize(3);
    JsonObject status = workloads.status(REPLICA_SETS, "web");
    assertThat(count(status, "replicas")).isEqualTo(3);
    assertThat(count(status, "fullyLabeledReplicas")).isEqualTo(3);
    assertThat(status.has("readyReplicas")).isFalse();

    workloads.advance(2);
    status = workloads.status(REPLICA_SETS, "web");
    assertThat(count(status, "readyReplicas")).isEqualTo(3);
    assertThat(count(status, "availableReplicas")).isEqualTo(3);
    assertThat(count(status, "observedGeneration")).isEqualTo(1);
    assertThat(workloads.cluster.events("web", "SuccessfulCreate"))
        .hasSize(3)
        .allMatch(note -> note.startsWith("Created pod: web-"));
    assertThat(workloads.cluster.warnings()).isEmpty();
  }

  @Test
  void replacesPodsThatEndOrAreOnTheirWayOut() {
    workloads.set("web", 2);
    workloads.advance(5);
    String ended = Metadata.of(workloads.pods().getFirst()).name();
    String lost = Metadata.of(workloads.pods().getLast()).name();
    workloads.kubelet.silence(workloads.cluster.nodeOf(lost));

    workloads.cluster.patchStatus(
        PODS, WorkloadFixture.name(ended), "{'status':{'phase':'Failed'}}");
    workloads
        .cluster
        .admin()
        .delete(PODS, WorkloadFixture.name(lost), DeleteOptions.NONE.grace(300));
    workloads.advance(5);

    assertThat(workloads.cluster.exists(lost)).isTrue();
    assertThat(workloads.pods()).hasSize(4);
    JsonObject status = workloads.status(REPLICA_SETS, "web");
    assertThat(count(status, "replicas")).isEqualTo(2);
    assertThat(count(status, "terminatingReplicas")).isEqualTo(1);
  }

  /** The first deletion of each set is done, and not answered; the watch tells of it later. */
  @Test
  void choosesNoOthersToGoWhileADeletionIsInDoubt() {
    Set<String> lost = new HashSet<>();
    ControllerParts parts = workloads.cluster.parts(ReplicaSetController.ACCOUNT);
    StallingApi watched = new StallingApi(parts.api());
    Api forgetful =
        new InterceptedApi(
            watched,
            (request, real) -> {
              ApiResult done = real.send(request);
              boolean isLost =
                  request instanceof ApiRequest.Delete(Target target, var _)
                      && lost.add(target.name().name().substring(0, "web-10".length()));
              return isLost ? new ApiResult.Unreachable("the answer was lost") : done;
            });
    workloads.cluster.crash("sets");
    workloads.cluster.run(
        "forgetful",
        () ->
            ReplicaSetController.start(
                new ControllerParts(forgetful, parts.time(), parts.metrics(), parts.warnings())));
    List<String> names = IntStream.range(10, 40).mapToObj(i -> "web-" + i).toList();
    names.forEach(name -> workloads.set(name, 6));
    workloads.advance(10);
    watched.stall();
    names.forEach(name -> workloads.patch(REPLICA_SETS, name, "{'replicas':4}"));
    workloads.advance(10);
    watched.goOn();
    workloads.advance(10);

    assertThat(lost).hasSameSizeAs(names);
    for (String name : names) {
      assertThat(workloads.cluster.events(name, "SuccessfulDelete")).as(name).hasSizeLessThan(2);
      assertThat(workloads.cluster.events(name, "SuccessfulCreate")).as(name).hasSize(6);
    }
  }

  /** As where it hears late that a taint was removed: the scheduler chooses it again and again. */
  @Test
  void replacesPodsThatNodesRejectLessAndLessOften() {
    workloads.kubelet.starting(Duration.ZERO);
    NODES.forEach(node -> workloads.kubelet.refuse(node, "TaintToleration"));
    workloads.set("web", 1);
    workloads.advance(0);
    assertThat(workloads.pods()).hasSize(2);
    for (int rejected = 2, seconds = 1; seconds < 60; rejected++, seconds *= 2) {
      workloads.cluster.advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertThat(workloads.pods()).hasSize(rejected);
      workloads.cluster.advance(Duration.ofMillis(1));
      assertThat(workloads.pods()).hasSize(rejected + 1);
    }

    NODES.forEach(workloads.kubelet::accept);
    workloads.advance(60);
    assertThat(workloads.staying()).hasSize(1);
  }

  @Test
  void createsWhatElseIsMissingWhileRejectedPodsWait() {
    workloads.kubelet.starting(Duration.ZERO);
    NODES.forEach(node -> workloads.kubelet.refuse(node, "OutOfcpu"));
    workloads.set("web", 2);
    workloads.advance(0);
    assertThat(workloads.pods()).hasSize(4);
    NODES.forEach(workloads.kubelet::accept);

    workloads.patch(REPLICA_SETS, "web", "{'replicas':5}");
    workloads.advance(0);
    assertThat(workloads.staying()).hasSize(3);
    workloads.advance(1);
    assertThat(workloads.staying()).hasSize(5);
  }

  /** Otherwise it would ask for as long as the namespace takes to go, without a pause. */
  @Test
  void asksForNothingMoreInANamespaceThatIsBeingDeleted() {
    VirtualCluster cluster = workloads.cluster;
    cluster.create(NAMESPACES, "{'metadata':{'name':'doomed'}}");
    cluster.create(
        REPLICA_SETS,
        WorkloadFixture.manifest("web", 2, "i", "")
            .replace("'namespace':'default'", "'namespace':'doomed'"));
    workloads.advance(5);
    cluster.admin().delete(NAMESPACES, ObjectName.of("doomed"));
    ObjectName pod = ObjectName.of(workloads.pods().getFirst());
    cluster.admin().delete(PODS, pod, DeleteOptions.NONE.grace(0));
    workloads.advance(5);

    assertThat(workloads.pods()).hasSize(1);
    assertThat(cluster.events("web", "FailedCreate")).isEmpty();
  }

  @Test
  void adoptsPodsThatNobodyControlsAndLetsGoWhatItNoLongerSelects() {
    workloads.cluster.pod("alone", "1m");
    workloads.cluster.patch(
        PODS, WorkloadFixture.name("alone"), "{'metadata':{'labels':{'app':'web'}}}");
    workloads.set("web", 2);
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(2);
    JsonObject adopted = workloads.cluster.getPod("alone");
    assertThat(Metadata.of(adopted).controller().orElseThrow().name()).isEqualTo("web");

    workloads.cluster.patch(
        PODS, WorkloadFixture.name("alone"), "{'metadata':{'labels':{'app':'x'}}}");
    workloads.advance(5);
    assertThat(Metadata.of(workloads.cluster.getPod("alone")).controller()).isEmpty();
    assertThat(workloads.pods()).hasSize(3);

    workloads.cluster.patch(
        PODS, WorkloadFixture.name("alone"), "{'metadata':{'labels':{'app':'web'}}}");
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(2);
  }

  @Test
  void aPodIsAvailableOnceItWasReadyForMinReadySeconds() {
    workloads.cluster.create(
        REPLICA_SETS, WorkloadFixture.manifest("web", 1, "i", "'minReadySeconds':30"));
    workloads.advance(2);
    assertThat(count(workloads.status(REPLICA_SETS, "web"), "readyReplicas")).isEqualTo(1);

    workloads.advance(29);
    assertThat(workloads.status(REPLICA_SETS, "web").has("availableReplicas")).isFalse();

    workloads.advance(1);
    assertThat(count(workloads.status(REPLICA_SETS, "web"), "availableReplicas")).isEqualTo(1);
  }

  @Test
  void aRefusalIsToldAndTriedAgainUntilThereIsRoom() {
    workloads.cluster.run(
        "quotas",
        () ->
            ResourceQuotaController.start(
                workloads.cluster.parts(ResourceQuotaController.ACCOUNT)));
    workloads.cluster.create(
        QUOTAS, "{'metadata':{'name':'q','namespace':'default'},'spec':{'hard':{'pods':'2'}}}");
    workloads.advance(1);
    workloads.set("web", 50);
    workloads.advance(10);

    assertThat(workloads.pods()).hasSize(2);
    assertThat(workloads.condition(REPLICA_SETS, "web", "ReplicaFailure"))
        .startsWith("True FailedCreate: pods \"web-")
        .contains("exceeded quota: q");
    assertThat(workloads.cluster.events("web", "FailedCreate"))
        .isNotEmpty()
        .allMatch(note -> note.contains("Error creating: pods \"web-"));

    workloads.cluster.patch(QUOTAS, WorkloadFixture.name("q"), "{'spec':{'hard':{'pods':'60'}}}");
    workloads.advance(60);
    assertThat(workloads.pods()).hasSize(50);
    assertThat(workloads.condition(REPLICA_SETS, "web", "ReplicaFailure")).isEmpty();
  }

  @Test
  void deletesWhatIsTooManyAndLeavesAllWhenItGoesItself() {
    workloads.set("web", 10);
    workloads.advance(5);
    workloads.patch(REPLICA_SETS, "web", "{'replicas':4}");
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(4);
    assertThat(workloads.cluster.events("web", "SuccessfulDelete"))
        .hasSize(6)
        .allMatch(note -> note.startsWith("Deleted pod: web-"));

    workloads.cluster.admin().delete(REPLICA_SETS, WorkloadFixture.name("web"));
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(4);
  }

  @Test
  void aRestartCreatesNothingTwice() {
    workloads.set("web", 100);
    for (int i = 0; i < 20; i++) {
      workloads.cluster.advance(Duration.ofMillis(3));
      workloads.cluster.restart("sets");
    }
    workloads.advance(10);
    assertThat(workloads.pods()).hasSize(100);
    assertThat(count(workloads.status(REPLICA_SETS, "web"), "availableReplicas")).isEqualTo(100);
  }

  @Test
  void manyPodsAreCountedByFewWrites() {
    workloads.set("web", 1000);
    workloads.advance(10);
    JsonObject set = workloads.get(REPLICA_SETS, "web");
    assertThat(count(set.object("status"), "availableReplicas")).isEqualTo(1000);
    assertThat(workloads.cluster.list(Resources.EVENTS)).hasSize(10);
  }

  @Test
  void theScaleOfASetCanBeReadAndWritten() {
    workloads.set("web", 1);
    workloads.advance(5);
    Target scale = Target.of(REPLICA_SETS, WorkloadFixture.name("web")).subresource("scale");
    workloads
        .cluster
        .admin()
        .patch(scale, PatchType.MERGE, JsonObject.of("spec", JsonObject.of("replicas", 3L)));
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(3);
  }

  @Test
  void replicationControllersAreLookedAfterAlike() {
    workloads.cluster.run(
        "replication",
        () -> ReplicationManager.start(workloads.cluster.parts(ReplicationManager.ACCOUNT)));
    workloads.cluster.create(
        REPLICATION_CONTROLLERS,
        "{'metadata':{'name':'old','namespace':'default'},'spec':{'replicas':2,'selector':{'app':'old'},'template':{'metadata':{'labels':{'app':'old'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(2);
    assertThat(count(workloads.status(REPLICATION_CONTROLLERS, "old"), "availableReplicas"))
        .isEqualTo(2);

    workloads.cluster.delete(PODS, ObjectName.of(workloads.pods().getFirst()));
    workloads.advance(5);
    assertThat(workloads.pods()).hasSize(2);
    assertThat(workloads.cluster.warnings()).isEmpty();
    assertThat(ReplicaSetController.ACCOUNT).isNotEqualTo(ReplicationManager.ACCOUNT);
  }

  /** A ReplicationController without a selector has that of its template. */
  @Test
  void aReplicationControllerSelectsTheLabelsOfItsTemplate() {
    workloads.cluster.run(
        "replication",
        () -> ReplicationManager.start(workloads.cluster.parts(ReplicationManager.ACCOUNT)));
    workloads.cluster.create(
        REPLICATION_CONTROLLERS,
        "{'metadata':{'name':'old','namespace':'default'},'spec':{'replicas':2,'template':{'metadata':{'labels':{'app':'old'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    workloads.advance(30);
    assertThat(workloads.pods()).hasSize(2);
    assertThat(
            workloads
                .get(REPLICATION_CONTROLLERS, "old")
                .object("spec")
                .object("selector")
                .text("app"))
        .isEqualTo("old");
  }

  /** Somebody changes each new pod so that its set does not select it. */
  @Test
  void stopsWhenWhatItCreatesIsNotItsOwn() {
    ControllerParts parts = workloads.cluster.parts(ReplicationManager.ACCOUNT);
    Api withoutLabels =
        new InterceptedApi(
            parts.api(),
            (request, real) ->
                real.send(
                    request instanceof ApiRequest.Create(Target target, JsonObject pod)
                            && target.resource().equals(PODS)
                        ? new ApiRequest.Create(
                            target, Metadata.update(pod, m -> m.without("labels")))
                        : request));
    workloads.cluster.run(
        "replication",
        () ->
            ReplicationManager.start(
                new ControllerParts(
                    withoutLabels, parts.time(), parts.metrics(), parts.warnings())));
    workloads.cluster.create(
        REPLICATION_CONTROLLERS,
        "{'metadata':{'name':'old','namespace':'default'},'spec':{'replicas':2,'selector':{'app':'old'},'template':{'metadata':{'labels':{'app':'old'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    workloads.advance(60);
    assertThat(workloads.pods()).hasSizeBetween(1, 2);
    assertThat(workloads.cluster.events("old", "CreatedNotOwned")).hasSize(1);

    workloads.patch(REPLICATION_CONTROLLERS, "old", "{'replicas':3}");
    workloads.advance(60);
    assertThat(workloads.pods()).hasSizeBetween(2, 5);
  }
}
