package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods whose claims wait for them; the test stands in for the controller that binds claims. */
class ClaimSchedulingTest {
  private static final ObjectName CLAIM = VirtualCluster.podName("data");

  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void aLocalVolumeOnTheSecondNode() {
    cluster.node("node1", "4", "{'kubernetes.io/hostname':'node1'}");
    cluster.node("node2", "4", "{'kubernetes.io/hostname':'node2'}");
    cluster.create(
        Resources.STORAGE_CLASSES,
        "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
            + "'volumeBindingMode':'WaitForFirstConsumer'}");
    cluster.create(
        Resources.PERSISTENT_VOLUMES,
        "{'metadata':{'name':'disk'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
            + "'storageClassName':'local','local':{'path':'/disk'},'nodeAffinity':{'required':{"
            + "'nodeSelectorTerms':[{'matchExpressions':[{'key':'kubernetes.io/hostname',"
            + "'operator':'In','values':['node2']}]}]}}}}");
    cluster.patchStatus(
        Resources.PERSISTENT_VOLUMES, ObjectName.of("disk"), "{'status':{'phase':'Available'}}");
    cluster.schedule();
    cluster.pod(
        "db", "1", "{'volumes':[{'name':'data','persistentVolumeClaim':{'claimName':'data'}}]}");
    cluster.settle();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void claim() {
    cluster.create(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        "{'metadata':{'name':'data','namespace':'default'},'spec':{'accessModes':['ReadWriteOnce'],"
            + "'storageClassName':'local','resources':{'requests':{'storage':'1Gi'}}}}");
    cluster.patchStatus(
        Resources.PERSISTENT_VOLUME_CLAIMS, CLAIM, "{'status':{'phase':'Pending'}}");
    cluster.advance(Duration.ofSeconds(2));
  }

  private JsonObject volume() {
    return cluster.list(Resources.PERSISTENT_VOLUMES).getFirst();
  }

  @Test
  void aPodWithoutItsClaimIsToldSo() {
    assertThat(cluster.scheduled("db").text("message", ""))
        .startsWith("0/2 nodes are available: persistentvolumeclaim \"data\" not found.");
  }

  @Test
  void theVolumeIsPromisedFirstAndThePodBoundOnceItsClaimIs() {
    claim();
    assertThat(volume().object("spec").object("claimRef").text("name")).isEqualTo("data");
    assertThat(cluster.nodeOf("db")).isEmpty();

    cluster.patch(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        CLAIM,
        "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes'}},'spec':{'volumeName':'disk'}}");
    cluster.patchStatus(Resources.PERSISTENT_VOLUME_CLAIMS, CLAIM, "{'status':{'phase':'Bound'}}");
    cluster.patchStatus(
        Resources.PERSISTENT_VOLUMES, ObjectName.of("disk"), "{'status':{'phase':'Bound'}}");
    cluster.settle();
    assertThat(cluster.nodeOf("db")).isEqualTo("node2");
  }

  @Test
  void claimsThatAreNotBoundInTimeAreNotWaitedForAnyLonger() {
    claim();
    cluster.advance(Duration.ofMinutes(10));
    assertThat(cluster.events("db", "FailedScheduling"))
        .contains("binding volumes: claims were not bound within 600 s");
    assertThat(cluster.nodeOf("db")).isEmpty();
  }
}
