package dev.berth.sim.job;

import static dev.berth.client.Resources.JOBS;
import static dev.berth.client.Resources.NODES;
import static dev.berth.client.Resources.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs in a whole cluster: their pods come back when they lose their nodes, and end with them. */
class JobOnNodesTest {
  private static final ObjectName NAME = new ObjectName("default", "work");

  private final WholeCluster cluster = new WholeCluster(3, HollowSettings.of(3));

  @BeforeEach
  void start() {
    cluster.advance(Duration.ofSeconds(30));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void job(String runFor, String spec) {
    cluster
        .cluster()
        .create(
            JOBS,
            ("{'metadata':{'name':'work','namespace':'default'},'spec':{'template':{'metadata':{'annotations':{'%s':'%s'}},"
                    + "'spec':{'restartPolicy':'Never','terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'i'}]}}%s}}")
                .formatted(HollowAnnotations.RUN_FOR, runFor, spec));
    cluster.advance(Duration.ofSeconds(20));
  }

  private JsonObject status() {
    return cluster.cluster().admin().get(JOBS, NAME) instanceof ApiResult.Done(JsonObject job)
        ? job.object("status")
        : JsonObject.EMPTY;
  }

  private boolean isComplete() {
    return Conditions.isTrue(status().array("conditions"), "Complete");
  }

  private List<JsonObject> pods() {
    return cluster.cluster().list(PODS);
  }

  private String node() {
    return pods().getFirst().object("spec").text("nodeName", "");
  }

  @Test
  void podsRunToTheirEndAndTheJobGoesWithThemAfterItsTime() {
    job("1m", ",'completions':4,'parallelism':2,'ttlSecondsAfterFinished':100");
    assertThat(status().integer("ready").orElse(0)).isEqualTo(2);
    cluster.advance(Duration.ofSeconds(140));
    assertThat(isComplete()).isTrue();
    assertThat(status().integer("succeeded").orElse(0)).isEqualTo(4);
    cluster.advance(Duration.ofSeconds(100));
    assertThat(cluster.cluster().list(JOBS)).isEmpty();
    assertThat(pods()).isEmpty();
  }

  @Test
  void aPodThatATaintEvictsComesBackElsewhereAndDoesNotCountAsAFailure() {
    job(
        "5m",
        ",'backoffLimit':0,'podFailurePolicy':{'rules':[{'action':'Ignore','onPodConditions':[{'type':'DisruptionTarget'}]}]}");
    String node = node();
    cluster.taint(node, "maintenance");
    cluster.advance(Duration.ofSeconds(30));
    assertThat(pods()).singleElement().matches(pod -> !node().equals(node));
    assertThat(status().integer("failed").orElse(0)).isZero();
    cluster.advance(Duration.ofMinutes(6));
    assertThat(isComplete()).isTrue();
  }

  @Test
  void aPodThatIsLostWithItsNodeComesBack() {
    job("5m", "");
    String node = node();
    cluster.silence(node);
    cluster.advance(Duration.ofMinutes(8));
    assertThat(pods()).hasSize(2);
    cluster.cluster().delete(NODES, ObjectName.of(node));
    cluster.advance(Duration.ofMinutes(10));
    assertThat(isComplete()).isTrue();
    assertThat(status().integer("failed").orElse(0)).isEqualTo(1);
    assertThat(status().integer("succeeded").orElse(0)).isEqualTo(1);
  }

  @Test
  void aDeletedJobTakesItsPodsAlongOrLeavesThem() {
    job("5m", ",'parallelism':3");
    DeleteOptions.Propagation foreground = DeleteOptions.Propagation.FOREGROUND;
    cluster.cluster().admin().delete(JOBS, NAME, DeleteOptions.NONE.propagation(foreground));
    cluster.advance(Duration.ofSeconds(20));
    assertThat(cluster.cluster().list(JOBS)).isEmpty();
    assertThat(pods()).isEmpty();

    job("5m", "");
    DeleteOptions.Propagation orphan = DeleteOptions.Propagation.ORPHAN;
    cluster.cluster().admin().delete(JOBS, NAME, DeleteOptions.NONE.propagation(orphan));
    cluster.advance(Duration.ofSeconds(20));
    assertThat(pods()).singleElement().matches(pod -> Metadata.of(pod).finalizers().isEmpty());
  }
}
