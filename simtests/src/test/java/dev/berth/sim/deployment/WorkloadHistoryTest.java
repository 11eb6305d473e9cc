package dev.berth.sim.deployment;

import static dev.berth.client.Resources.DEPLOYMENTS;
import static dev.berth.client.Resources.PODS;
import static dev.berth.sim.replicaset.WorkloadFixture.count;
import static dev.berth.sim.replicaset.WorkloadFixture.image;
import static dev.berth.sim.replicaset.WorkloadFixture.size;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.DeleteOptions;
import dev.berth.controllers.deployment.DeploymentController;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.history.History;
import dev.berth.sim.replicaset.WorkloadFixture;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;

/**
 * Whatever happens to deployments, their pods and their controllers, they have in the end what they
 * are to have: not a pod too many or too few. And whatever they do on the way, they keep to the
 * numbers of their strategy.
 */
class WorkloadHistoryTest {
  private static final List<String> IMAGES = List.of("v1", "v2", "v3", "broken");
  private static final String SET_CONTROLLER = "replica-sets";
  private static final String DEPLOYMENT_CONTROLLER = "deployments";

  @SeededTest(fixed = 20, fresh = 10)
  void randomHistoriesEndInWhatIsWanted(long seed) {
    History.run(() -> new Anything(seed));
  }

  @SeededTest(fixed = 20, fresh = 10)
  void updatesKeepToTheirNumbersThroughFaultsAndCrashes(long seed) {
    History.run(() -> new Updates(seed));
  }

  /** A deployment {@code web}, whose image changes while its controllers crash. */
  private abstract static class Run extends History {
    final WorkloadFixture workloads = new WorkloadFixture(cluster, Duration.ofSeconds(3));

    Run(long seed, int steps, Duration calm) {
      super(seed, steps, calm);
      workloads.kubelet.breaks("broken");
    }

    final void runControllers() {
      cluster.run(
          SET_CONTROLLER, () -> ReplicaSetController.start(parts(ReplicaSetController.ACCOUNT)));
      cluster.run(
          DEPLOYMENT_CONTROLLER,
          () -> DeploymentController.start(parts(DeploymentController.ACCOUNT)));
    }

    final void changeImage() {
      workloads.image("web", IMAGES.get(random.nextInt(IMAGES.size())));
    }
  }

  /** Whatever may happen, and in the end the number of pods that was asked for. */
  private static final class Anything extends Run {
    private long replicas;

    Anything(long seed) {
      super(seed, 40, Duration.ofMinutes(15));
      runControllers();
      boolean recreate = random.nextInt(4) == 0;
      workloads.deployment("web", 4, recreate ? "'strategy':{'type':'Recreate'}" : "");
      step(4, "change the image", this::changeImage);
      step(4, "scale", () -> patch("'replicas':" + random.nextInt(12)));
      step(2, "pause or resume", () -> patch("'paused':" + random.nextBoolean()));
      step(2, "a pod fails", () -> any(workloads.staying()).ifPresent(this::fail));
      step(2, "delete a pod", () -> any(workloads.staying()).ifPresent(this::delete));
      step(4, "relabel a pod", () -> any(workloads.staying()).ifPresent(this::relabel));
      step(2, "lose a node", () -> lose("n" + random.nextInt(2)));
      crashes(1, SET_CONTROLLER);
      crashes(1, DEPLOYMENT_CONTROLLER);
    }

    private void patch(String field) {
      workloads.patch(DEPLOYMENTS, "web", "{" + field + "}");
    }

    private void fail(JsonObject pod) {
      cluster.patchStatus(PODS, ObjectName.of(pod), "{'status':{'phase':'Failed'}}");
    }

    private void delete(JsonObject pod) {
      cluster.admin().delete(PODS, ObjectName.of(pod));
    }

    /** A pod that was its set's is nobody's, or the other way round. */
    private void relabel(JsonObject pod) {
      String label = isSelected(pod) ? "nobody" : "web";
      cluster.patch(PODS, ObjectName.of(pod), "{'metadata':{'labels':{'app':'" + label + "'}}}");
    }

    private static boolean isSelected(JsonObject pod) {
      return Metadata.of(pod).label("app").orElse("").equals("web");
    }

    /** The pods of a lost node are deleted, and stay until it is back. */
    private void lose(String node) {
      workloads.kubelet.silence(node);
      for (JsonObject pod : workloads.staying()) {
        if (pod.object("spec").text("nodeName", "").equals(node)) {
          cluster.admin().delete(PODS, ObjectName.of(pod), DeleteOptions.NONE.grace(30));
        }
      }
    }

    @Override
    protected void pause() {
      cluster.advance(upTo(Duration.ofSeconds(6)));
    }

    @Override
    protected void calmDown() {
      workloads.kubelet.resume("n0");
      workloads.kubelet.resume("n1");
      replicas = random.nextInt(10);
      patch("'paused':false,'replicas':" + replicas);
      workloads.image("web", "last");
    }

    @Override
    protected void checkEnd() {
      List<JsonObject> pods = workloads.staying().stream().filter(Anything::isSelected).toList();
      assertThat(pods).hasSize((int) replicas);
      assertThat(pods).allMatch(pod -> image(pod).equals("last"));
      assertThat(pods).allMatch(WorkloadFixture::isReady);
      JsonObject status = workloads.status(DEPLOYMENTS, "web");
      for (String field :
          List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")) {
        assertThat(count(status, field)).as(field).isEqualTo(replicas);
      }
      assertThat(workloads.condition(DEPLOYMENTS, "web", "Progressing"))
          .startsWith("True NewReplicaSetAvailable");
      assertThat(workloads.sets().stream().filter(set -> size(set) > 0).count())
          .isEqualTo(replicas > 0 ? 1 : 0);
    }
  }

  /** Updates alone, which must always leave enough pods, and never make too many. */
  private static final class Updates extends Run {
    private final long replicas = 3L + random.nextInt(10);
    private final long surge = random.nextInt(4);
    private final long unavailable = random.nextInt(4) + (surge == 0 ? 1L : 0L);

    Updates(long seed) {
      super(seed, 150, Duration.ofMinutes(5));
      workloads.deployment(
          "web",
          replicas,
          "'minReadySeconds':%d,'strategy':{'rollingUpdate':{'maxSurge':%d,'maxUnavailable':%d}}"
              .formatted(random.nextInt(3), surge, unavailable));
      startCalmly();
      step(2, "change the image", this::changeImage);
      crashes(1, SET_CONTROLLER);
      crashes(1, DEPLOYMENT_CONTROLLER);
      passes(34, Duration.ofSeconds(1));
    }

    /** All pods are there before the first step. */
    private void startCalmly() {
      cluster.run(
          SET_CONTROLLER,
          () -> ReplicaSetController.start(cluster.parts(ReplicaSetController.ACCOUNT)));
      cluster.run(
          DEPLOYMENT_CONTROLLER,
          () -> DeploymentController.start(cluster.parts(DeploymentController.ACCOUNT)));
      workloads.advance(30);
      runControllers();
    }

    @Override
    protected void checkInvariant() {
      assertThat(workloads.sets().stream().mapToLong(WorkloadFixture::size).sum())
          .as("pods that the sets are to have")
          .isLessThanOrEqualTo(replicas + surge);
      assertThat(workloads.staying().stream().filter(WorkloadFixture::isReady).count())
          .as("pods that are ready")
          .isGreaterThanOrEqualTo(replicas - unavailable);
    }

    @Override
    protected void calmDown() {
      workloads.image("web", "last");
    }

    @Override
    protected void checkEnd() {
      assertThat(workloads.staying())
          .hasSize((int) replicas)
          .allMatch(pod -> image(pod).equals("last"));
    }
  }
}
