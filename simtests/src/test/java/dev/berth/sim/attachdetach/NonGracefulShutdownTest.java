package dev.berth.sim.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The story of a node that is shut down without anybody noticing, and of a StatefulSet whose pod
 * ran there with its volume, as Kubernetes' documentation tells it.
 */
class NonGracefulShutdownTest {
  private static final String POD = "db-0";
  private static final String VOLUME = "data-db-0";

  private final WholeCluster whole = new WholeCluster(11, HollowSettings.of(3));
  private final VirtualCluster cluster = whole.cluster();
  private final AttachmentFixture volumes = new AttachmentFixture(cluster);
  private String dead = "";
  private String firstUid = "";

  @BeforeEach
  void aStatefulSetRunsWithItsVolume() {
    whole.advance(Duration.ofSeconds(30));
    volumes.make(VOLUME, AttachmentFixture.HOLLOW, "ReadWriteOnce");
    cluster.create(
        Resources.STATEFUL_SETS,
        "{'metadata':{'namespace':'default','name':'db'},'spec':{'replicas':1,'serviceName':'db',"
            + "'selector':{'matchLabels':{'app':'db'}},"
            + "'template':{'metadata':{'labels':{'app':'db'}},'spec':{"
            + "'containers':[{'name':'c','image':'db:1','volumeMounts':[{'name':'data','mountPath':'/data'}]}]}},"
            + "'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{'accessModes':['ReadWriteOnce'],"
            + "'storageClassName':'','resources':{'requests':{'storage':'1Gi'}}}}]}}");
    whole.advance(Duration.ofSeconds(10));
    whole.assertRunning(POD);
    dead = cluster.nodeOf(POD);
    firstUid = uid();
    assertThat(volumes.attachments(VOLUME)).containsExactly(dead + " attached");
    assertThat(volumes.inUse(dead)).containsExactly(VOLUME);
    assertThat(cluster.events(POD, "SuccessfulAttachVolume")).hasSize(1);
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    whole.close();
  }

  private String uid() {
    return Metadata.of(cluster.getPod(POD)).uid();
  }

  /** The node dies, and its pod's tolerations of that run out. */
  private void theNodeIsShutDown() {
    whole.silence(dead);
    whole.advance(Duration.ofMinutes(6));
  }

  /** The pod is stuck Terminating on the dead node, and its volume is attached there. */
  private void assertStuck() {
    assertThat(uid()).isEqualTo(firstUid);
    assertThat(whole.pod(POD).terminating()).isTrue();
    assertThat(volumes.attachments(VOLUME)).containsExactly(dead + " attached");
    assertThat(volumes.inUse(dead)).containsExactly(VOLUME);
  }

  /** A pod of the same name runs elsewhere, and has the volume. */
  private void assertRecovered() {
    whole.assertRunning(POD);
    assertThat(uid()).isNotEqualTo(firstUid);
    String now = cluster.nodeOf(POD);
    assertThat(now).isNotEqualTo(dead);
    assertThat(volumes.attachments(VOLUME)).containsExactly(now + " attached");
    assertThat(volumes.reportedAttached(now)).containsExactly(VOLUME);
    assertThat(volumes.inUse(now)).containsExactly(VOLUME);
  }

  /** Pods of a StatefulSet are stuck terminating, and cannot move to a running node. */
  @Test
  void withoutHelpThePodStaysTerminatingAndItsVolumeAttached() {
    theNodeIsShutDown();
    assertStuck();
    whole.advance(Duration.ofHours(2));
    assertStuck();
  }

  /** If the original node comes up, its pods are deleted by it, and new ones are created. */
  @Test
  void ifTheNodeComesBackItEndsThePodAndAnotherIsMade() {
    theNodeIsShutDown();
    whole.resume(dead);
    whole.advance(Duration.ofMinutes(2));
    whole.assertRunning(POD);
    assertThat(uid()).isNotEqualTo(firstUid);
    assertThat(volumes.attachments(VOLUME)).containsExactly(cluster.nodeOf(POD) + " attached");
  }

  /**
   * The user marks the node out of service: its pod is deleted by force, its volume detached at
   * once, and the pod recovers quickly on a different node.
   */
  @Test
  void outOfServiceThePodAndItsVolumeMoveAtOnce() {
    theNodeIsShutDown();
    assertStuck();

    whole.taint(dead, WellKnownTaints.OUT_OF_SERVICE);
    whole.advance(Duration.ofSeconds(10));
    assertRecovered();
    assertThat(volumes.reportedAttached(dead)).isEmpty();
    assertThat(volumes.inUse(dead)).as("the dead node says nothing").containsExactly(VOLUME);

    // The node is repaired, and the user takes the taint away.
    whole.resume(dead);
    whole.advance(Duration.ofMinutes(1));
    whole.untaint(dead, WellKnownTaints.OUT_OF_SERVICE);
    whole.advance(Duration.ofMinutes(10));
    assertThat(volumes.inUse(dead)).as("it has ended what was deleted").isEmpty();
    assertThat(whole.node(dead).taints()).isEmpty();
    assertRecovered();
  }

  /** The taint may be set before the pod's tolerations of a lost node have run out. */
  @Test
  void outOfServiceBeforeThePodWasEvicted() {
    whole.silence(dead);
    whole.advance(Duration.ofMinutes(1));
    assertThat(whole.pod(POD).terminating()).isFalse();
    whole.taint(dead, WellKnownTaints.OUT_OF_SERVICE);
    whole.advance(Duration.ofSeconds(10));
    assertRecovered();
  }

  /** The control plane may crash in the middle of it. */
  @Test
  void outOfServiceWhileTheControlPlaneCrashes() {
    theNodeIsShutDown();
    whole.taint(dead, WellKnownTaints.OUT_OF_SERVICE);
    for (int i = 0; i < 5; i++) {
      whole.restartControlPlane();
      whole.advance(Duration.ofMillis(300));
    }
    whole.advance(Duration.ofSeconds(20));
    assertRecovered();
  }

  /** The pod is deleted by force, and nobody says more: the volume follows six minutes later. */
  @Test
  void aPodThatIsDeletedByForceGetsItsVolumeSixMinutesLater() {
    theNodeIsShutDown();
    volumes.forceDelete(POD);
    whole.advance(Duration.ofSeconds(355));
    assertThat(uid()).isNotEqualTo(firstUid);
    assertThat(whole.pod(POD).ready()).isFalse();
    assertThat(cluster.nodeOf(POD)).isNotEmpty().isNotEqualTo(dead);
    assertThat(volumes.attachments(VOLUME)).containsExactly(dead + " attached");
    assertThat(cluster.events(POD, "FailedAttachVolume"))
        .containsExactly(
            "Multi-Attach error for volume \"data-db-0\" Volume is already exclusively attached to"
                + " one node and can't be attached to another");

    whole.advance(Duration.ofSeconds(10));
    assertRecovered();
  }

  /** The node is deleted: its pods are collected, and their volumes with them. */
  @Test
  void ofADeletedNodeThePodIsCollectedAndItsVolumeDetached() {
    theNodeIsShutDown();
    ApiResult deleted = cluster.admin().delete(Resources.NODES, ObjectName.of(dead));
    assertThat(deleted.isDone()).isTrue();
    whole.advance(Duration.ofMinutes(2));
    assertRecovered();
  }
}
