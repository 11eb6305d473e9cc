package dev.berth.model.apps;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.IntOrPercent;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppsViewsTest {

  @Test
  void aReplicaSetThatSaysNothingIsToHaveOnePodAndHasNone() {
    ReplicaSetView set = new ReplicaSetView(JsonObject.EMPTY);
    assertThat(set.replicas()).isEqualTo(1);
    assertThat(set.statusReplicas()).isZero();
    assertThat(set.minReady()).isZero();
    assertThat(set.isReplicationController()).isFalse();
    assertThat(set.isObserved()).isTrue();
    assertThat(set.failure()).isEmpty();
    assertThat(set.revision()).isZero();
    assertThat(set.deploymentReplicas()).isEmpty();
  }

  @Test
  void annotationsThatAreNoNumbersSayNothing() {
    ReplicaSetView set =
        new ReplicaSetView(
            tree(
                "{'metadata':{'annotations':{'deployment.kubernetes.io/revision':'two','deployment.kubernetes.io/max-replicas':'5'}}}"));
    assertThat(set.revision()).isZero();
    assertThat(set.deploymentMaxReplicas()).contains(5L);
  }

  @Test
  void aReplicaSetIsChangedOnlyWhereItDiffers() {
    ReplicaSetView set = new ReplicaSetView(tree("{'spec':{'replicas':3,'x':1}}"));
    assertThat(set.withReplicas(3)).isEqualTo(set);
    assertThat(set.withMinReadySeconds(0)).isEqualTo(set);
    assertThat(set.withAnnotations(JsonObject.EMPTY)).isEqualTo(set);
    assertThat(set.withReplicas(4).withMinReadySeconds(7).tree())
        .isEqualTo(tree("{'spec':{'replicas':4,'x':1,'minReadySeconds':7}}"));
  }

  @Test
  void aDeploymentThatSaysNothingRollsByQuartersAndHasNoLimits() {
    DeploymentSpec spec = DeploymentSpec.read(JsonObject.EMPTY);
    assertThat(spec.replicas()).isEqualTo(1);
    assertThat(spec.recreate()).isFalse();
    assertThat(spec.maxSurge()).isEqualTo(new IntOrPercent.Percent(25));
    assertThat(spec.maxUnavailable()).isEqualTo(new IntOrPercent.Percent(25));
    assertThat(spec.historyLimit()).isEmpty();
    assertThat(spec.progressDeadline()).isEmpty();
  }

  @Test
  void theLargestNumberIsNoLimit() {
    DeploymentSpec spec =
        DeploymentSpec.read(
            tree("{'revisionHistoryLimit':2147483647,'progressDeadlineSeconds':600}"));
    assertThat(spec.historyLimit()).isEmpty();
    assertThat(spec.progressDeadline()).contains(Duration.ofMinutes(10));
  }

  @Test
  void countsAreWrittenAsTheyAreReadAndNoneAreLeftOut() {
    JsonObject status =
        tree("{'observedGeneration':2,'replicas':3,'readyReplicas':1,'terminatingReplicas':0}");
    assertThat(DeploymentCounts.read(status).toTree()).isEqualTo(status);
  }

  @Test
  void aConditionOfADeploymentHasTheTimeThatItWasSaid() {
    Instant now = Instant.parse("2030-01-01T00:00:00Z");
    DeploymentCondition condition =
        DeploymentCondition.of(
            DeploymentCondition.PROGRESSING, ConditionStatus.TRUE, "Reason", "message");
    JsonArray before = condition.setIn(JsonArray.EMPTY, now);
    JsonArray after = condition.setIn(before, now.plusSeconds(5));
    assertThat(DeploymentCondition.find(after, DeploymentCondition.PROGRESSING))
        .get()
        .satisfies(found -> {
          assertThat(found.lastUpdateTime()).contains(now.plusSeconds(5));
          assertThat(found.hasReason("Reason")).isTrue();
        });
    assertThat(after.objects().getFirst().text("lastTransitionTime"))
        .isEqualTo("2030-01-01T00:00:00Z");
  }

  @Test
  void theStatusOfADeploymentKeepsItsCollisions() {
    DeploymentView deployment =
        DeploymentView.read(tree("{'status':{'collisionCount':1,'replicas':2}}"));
    assertThat(deployment.status(deployment.counts(), JsonArray.EMPTY))
        .isEqualTo(
            tree(
                "{'observedGeneration':0,'replicas':2,'terminatingReplicas':0,'collisionCount':1,'conditions':[]}"));
    assertThat(deployment.withCollisionCount(2))
        .isEqualTo(tree("{'status':{'collisionCount':2,'replicas':2}}"));
  }

  @Test
  void aStatefulSetThatSaysNothingIsOrderedRollsAndKeepsItsClaims() {
    StatefulSetSpec spec = StatefulSetSpec.read(JsonObject.EMPTY);
    assertThat(spec.replicas()).isEqualTo(1);
    assertThat(spec.parallel()).isFalse();
    assertThat(spec.rolling()).isTrue();
    assertThat(spec.maxUnavailable()).isEqualTo(new IntOrPercent.Count(1));
    assertThat(spec.deletedWithSet()).isFalse();
    assertThat(spec.deletedWithPod()).isFalse();
  }

  @Test
  void aStatefulSetWantsOrdinalsFromItsFirst() {
    StatefulSetSpec spec = StatefulSetSpec.read(tree("{'replicas':2,'ordinals':{'start':5}}"));
    assertThat(spec.wants(4)).isFalse();
    assertThat(spec.wants(5)).isTrue();
    assertThat(spec.wants(6)).isTrue();
    assertThat(spec.wants(7)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "web-0, 0",
    "web-12, 12",
    "web-012, -1",
    "web-x, -1",
    "other-1, -1",
    "web-a-1, -1",
    "web, -1"
  })
  void namesOfPodsSayOrdinals(String pod, long ordinal) {
    StatefulSetView set = StatefulSetView.read(tree("{'metadata':{'name':'web'}}"));
    assertThat(set.ordinal(pod)).isEqualTo(ordinal);
  }
}
