package dev.berth.sim.deployment;

import static dev.berth.client.Resources.DEPLOYMENTS;
import static dev.berth.client.Resources.REPLICA_SETS;
import static dev.berth.sim.replicaset.WorkloadFixture.count;
import static dev.berth.sim.replicaset.WorkloadFixture.image;
import static dev.berth.sim.replicaset.WorkloadFixture.size;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.deployment.TemplateHash;
import dev.berth.sim.replicaset.WorkloadFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deployments go from one template to the next as their strategy says. */
class DeploymentTest {
  private final WorkloadFixture workloads = WorkloadFixture.start(Duration.ofSeconds(2));

  @AfterEach
  void close() {
    assertThat(workloads.cluster.warnings()).isEmpty();
    workloads.close();
  }

  private static String revision(JsonObject object) {
    return Metadata.of(object).annotation(WellKnownAnnotations.DEPLOYMENT_REVISION).orElse("");
  }

  private String progressing() {
    return workloads.condition(DEPLOYMENTS, "web", "Progressing");
  }

  @Test
  void aNewDeploymentMakesASetAndSaysHowItGoesOn() {
    workloads.deployment("web", 3, "'minReadySeconds':5");
    workloads.cluster.settle();
    JsonObject set = workloads.sets().getFirst();
    String name = Metadata.of(set).name();
    String hash = Metadata.of(set).label(TemplateHash.LABEL).orElseThrow();
    assertThat(name).isEqualTo("web-" + hash);
    assertThat(progressing())
        .isEqualTo("True ReplicaSetUpdated: ReplicaSet \"" + name + "\" is progressing.");
    assertThat(workloads.condition(DEPLOYMENTS, "web", "Available"))
        .isEqualTo(
            "False MinimumReplicasUnavailable: Deployment does not have minimum availability.");

    workloads.advance(7);
    assertThat(progressing())
        .isEqualTo(
            "True NewReplicaSetAvailable: ReplicaSet \""
                + name
                + "\" has successfully progressed.");
    assertThat(workloads.condition(DEPLOYMENTS, "web", "Available"))
        .isEqualTo("True MinimumReplicasAvailable: Deployment has minimum availability.");
    JsonObject status = workloads.status(DEPLOYMENTS, "web");
    for (String field :
        List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
      assertThat(count(status, field)).as(field).isEqualTo(3);
    }
    assertThat(revision(workloads.get(DEPLOYMENTS, "web"))).isEqualTo("1");
    assertThat(workloads.cluster.events("web", "ScalingReplicaSet"))
        .containsExactly("Scaled up replica set " + name + " from 0 to 3");
  }

  @Test
  void aRollingUpdateKeepsToSurgeAndUnavailability() {
    workloads.deployment(
        "web", 10, "'strategy':{'rollingUpdate':{'maxSurge':'20%','maxUnavailable':1}}");
    workloads.advance(10);
    workloads.image("web", "v2");
    for (int i = 0; i < 400; i++) {
      workloads.cluster.advance(Duration.ofMillis(50));
      assertThat(workloads.staying()).hasSizeLessThanOrEqualTo(12);
      assertThat(workloads.staying().stream().filter(WorkloadFixture::isReady).count())
          .isGreaterThanOrEqualTo(9);
    }
    assertThat(workloads.pods()).hasSize(10).allMatch(pod -> image(pod).equals("v2"));
    assertThat(size(workloads.setOf("v1"))).isZero();
    assertThat(revision(workloads.setOf("v2"))).isEqualTo("2");
    assertThat(revision(workloads.get(DEPLOYMENTS, "web"))).isEqualTo("2");
    assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
  }

  @Test
  void recreateWaitsUntilTheLastOldPodIsGone() {
    workloads.deployment("web", 3, "'strategy':{'type':'Recreate'}");
    workloads.advance(10);
    workloads.image("web", "v2");
    for (int i = 0; i < 100; i++) {
      workloads.cluster.advance(Duration.ofMillis(100));
      assertThat(workloads.pods().stream().map(WorkloadFixture::image).distinct().count())
          .isLessThanOrEqualTo(1);
    }
    assertThat(workloads.pods()).hasSize(3).allMatch(pod -> image(pod).equals("v2"));
    assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
  }

  @Test
  void aPausedDeploymentRollsNothingOutButScales() {
    workloads.deployment("web", 4, "");
    workloads.advance(10);
    workloads.patch(DEPLOYMENTS, "web", "{'paused':true}");
    workloads.image("web", "v2");
    workloads.advance(5);
    assertThat(workloads.sets()).hasSize(1);
    assertThat(progressing()).isEqualTo("Unknown DeploymentPaused: Deployment is paused");

    workloads.patch(DEPLOYMENTS, "web", "{'replicas':6}");
    workloads.advance(2000);
    assertThat(workloads.pods()).hasSize(6).allMatch(pod -> image(pod).equals("v1"));

    workloads.patch(DEPLOYMENTS, "web", "{'paused':false}");
    workloads.cluster.settle();
    workloads.advance(60);
    assertThat(workloads.pods()).hasSize(6).allMatch(pod -> image(pod).equals("v2"));
    assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
  }

  @Test
  void withoutProgressItFailsWhenTheDeadlineRunsOutAndNotASecondSooner() {
    workloads.kubelet.breaks("v2");
    workloads.deployment("web", 4, "'progressDeadlineSeconds':600");
    workloads.advance(10);
    workloads.image("web", "v2");
    workloads.advance(20);
    JsonObject condition =
        Conditions.find(workloads.status(DEPLOYMENTS, "web").array("conditions"), "Progressing")
            .orElseThrow();
    Instant last = Times.parse(condition.text("lastUpdateTime", ""));
    Duration left =
        Duration.between(workloads.cluster.time().now(), last.plus(Duration.ofSeconds(600)));
    workloads.cluster.advance(left.minusSeconds(1));
    assertThat(progressing()).startsWith("True ReplicaSetUpdated");

    workloads.advance(1);
    String name = Metadata.of(workloads.setOf("v2")).name();
    assertThat(progressing())
        .isEqualTo(
            "False ProgressDeadlineExceeded: ReplicaSet \""
                + name
                + "\" has timed out progressing.");
    // A quarter of four may be missing, and one may be added.
    assertThat(size(workloads.setOf("v1"))).isEqualTo(3);
    assertThat(size(workloads.setOf("v2"))).isEqualTo(2);

    workloads.image("web", "v1");
    workloads.advance(30);
    assertThat(workloads.pods()).hasSize(4).allMatch(pod -> image(pod).equals("v1"));
    assertThat(progressing()).startsWith("True NewReplicaSetAvailable");
    JsonObject set = workloads.setOf("v1");
    assertThat(revision(set)).isEqualTo("3");
    assertThat(
            Metadata.of(set)
                .annotation(WellKnownAnnotations.DEPLOYMENT_REVISION_HISTORY)
                .orElse(""))
        .isEqualTo("1");
  }

  @Test
  void scalingDuringAnUpdateIsSharedInProportion() {
    workloads.kubelet.breaks("v2");
    workloads.deployment(
        "web", 10, "'strategy':{'rollingUpdate':{'maxSurge':3,'maxUnavailable':2}}");
    workloads.advance(10);
    workloads.image("web", "v2");
    workloads.advance(10);
    assertThat(size(workloads.setOf("v1"))).isEqualTo(8);
    assertThat(size(workloads.setOf("v2"))).isEqualTo(5);

    workloads.patch(DEPLOYMENTS, "web", "{'replicas':15}");
    workloads.advance(10);
    assertThat(size(workloads.setOf("v1"))).isEqualTo(11);
    assertThat(size(workloads.setOf("v2"))).isEqualTo(7);
  }

  @Test
  void onlySoManyOldSetsAreKept() {
    workloads.deployment("web", 1, "'revisionHistoryLimit':2");
    for (String image : List.of("v2", "v3", "v4", "v5")) {
      workloads.advance(20);
      workloads.image("web", image);
    }
    workloads.advance(20);
    assertThat(workloads.sets().stream().map(WorkloadFixture::image))
        .containsExactlyInAnyOrder("v3", "v4", "v5");
    assertThat(workloads.sets().stream().map(DeploymentTest::revision))
        .containsExactlyInAnyOrder("3", "4", "5");
  }

  @Test
  void aNameThatIsTakenMakesAnotherOne() {
    workloads.deployment("web", 1, "'paused':true");
    workloads.advance(1);
    JsonObject template = workloads.get(DEPLOYMENTS, "web").object("spec").object("template");
    String taken = "web-" + TemplateHash.of(template, 0);
    workloads.cluster.create(REPLICA_SETS, WorkloadFixture.manifest(taken, 0, "x", ""));
    workloads.patch(DEPLOYMENTS, "web", "{'paused':false}");
    workloads.advance(10);
    assertThat(count(workloads.status(DEPLOYMENTS, "web"), "collisionCount")).isEqualTo(1);
    assertThat(Metadata.of(workloads.setOf("v1")).name())
        .isEqualTo("web-" + TemplateHash.of(template, 1));
    assertThat(workloads.pods()).hasSize(1);
  }

  @Test
  void setsThatAreSelectedAreAdopted() {
    workloads.cluster.create(REPLICA_SETS, WorkloadFixture.manifest("web", 2, "v1", ""));
    workloads.cluster.patch(
        REPLICA_SETS, WorkloadFixture.name("web"), "{'metadata':{'labels':{'app':'web'}}}");
    workloads.advance(5);
    workloads.deployment("web", 2, "");
    workloads.advance(5);
    assertThat(workloads.sets()).hasSize(1);
    assertThat(Metadata.of(workloads.sets().getFirst()).controller().orElseThrow().kind())
        .isEqualTo("Deployment");
    assertThat(workloads.pods()).hasSize(2);
  }

  @Test
  void scaledToNothingAndBack() {
    workloads.deployment("web", 5, "");
    workloads.advance(10);
    workloads.patch(DEPLOYMENTS, "web", "{'replicas':0}");
    workloads.advance(10);
    assertThat(workloads.pods()).isEmpty();
    workloads.patch(DEPLOYMENTS, "web", "{'replicas':7}");
    workloads.advance(10);
    assertThat(workloads.pods()).hasSize(7);
    assertThat(count(workloads.status(DEPLOYMENTS, "web"), "availableReplicas")).isEqualTo(7);
    assertThat(count(workloads.status(DEPLOYMENTS, "web"), "unavailableReplicas")).isZero();
  }

  @Test
  void aSetThatIsBeingDeletedIsReplacedOnceItIsGone() {
    workloads.deployment("web", 2, "");
    workloads.advance(10);
    String name = Metadata.of(workloads.sets().getFirst()).name();
    workloads.cluster.patch(
        REPLICA_SETS,
        WorkloadFixture.name(name),
        "{'metadata':{'finalizers':['example.com/keep']}}");
    workloads.cluster.admin().delete(REPLICA_SETS, WorkloadFixture.name(name));
    workloads.advance(60);
    assertThat(workloads.sets()).hasSize(1).allMatch(set -> Metadata.of(set).isBeingDeleted());

    workloads.cluster.patch(
        REPLICA_SETS, WorkloadFixture.name(name), "{'metadata':{'finalizers':null}}");
    workloads.advance(60);
    assertThat(workloads.sets()).hasSize(1).noneMatch(set -> Metadata.of(set).isBeingDeleted());
    assertThat(count(workloads.status(DEPLOYMENTS, "web"), "availableReplicas")).isEqualTo(2);
  }
}
