package dev.berth.sim.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.ephemeral.EphemeralVolumeController;
import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.persistentvolume.VolumeBinder;
import dev.berth.controllers.pvcprotection.PvcProtectionController;
import dev.berth.controllers.pvprotection.PvProtectionController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims and volumes are bound to each other, kept while they are used, and let go afterwards. */
class VolumeBinderTest {
  private final VirtualCluster cluster = new VirtualCluster(1);
  private final VolumeFixture fixture = new VolumeFixture(cluster);

  @BeforeEach
  void start() {
    cluster.run("binder", () -> VolumeBinder.start(cluster.parts(VolumeBinder.ACCOUNT)));
    cluster.run(
        "pvc", () -> PvcProtectionController.start(cluster.parts(PvcProtectionController.ACCOUNT)));
    cluster.run(
        "pv", () -> PvProtectionController.start(cluster.parts(PvProtectionController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  @Test
  void aClaimAndItsVolumeNameEachOther() {
    fixture.volume("large", "9Gi", "");
    fixture.volume("right", "3Gi", "");
    assertThat(fixture.volumeState("right")).isEqualTo("Available");

    fixture.claim("data", "2Gi", "", "");
    assertThat(fixture.claimState("data")).isEqualTo("Bound right");
    assertThat(fixture.volumeState("right")).isEqualTo("Bound data");
    assertThat(fixture.volumeState("large")).isEqualTo("Available");
    JsonObject claim = fixture.getClaim("data");
    assertThat(Metadata.of(claim).annotations().names())
        .contains("pv.kubernetes.io/bind-completed", "pv.kubernetes.io/bound-by-controller");
    assertThat(claim.object("status").object("capacity").text("storage")).isEqualTo("3Gi");
    assertThat(claim.object("status").array("accessModes").texts())
        .containsExactly("ReadWriteOnce");
    JsonObject volume = fixture.getVolume("right");
    assertThat(volume.object("spec").object("claimRef").text("uid"))
        .isEqualTo(Metadata.of(claim).uid());
    assertThat(Metadata.of(volume).annotations().names())
        .contains("pv.kubernetes.io/bound-by-controller");
  }

  @Test
  void aClaimThatFindsNoneWaitsForAVolume() {
    fixture.claim("data", "2Gi", "", "");
    assertThat(fixture.claimState("data")).isEqualTo("Pending");
    assertThat(cluster.events("data", "FailedBinding"))
        .containsExactly(
            "no persistent volumes available for this claim and no storage class is set");
    fixture.volume("small", "1Gi", "");
    assertThat(fixture.claimState("data")).isEqualTo("Pending");
    fixture.volume("v", "2Gi", "");
    assertThat(fixture.claimState("data")).isEqualTo("Bound v");
  }

  @Test
  void volumesAndClaimsThatWereMadeForEachOtherFindEachOther() {
    fixture.volume("v", "9Gi", ",'claimRef':{'namespace':'default','name':'mine'}");
    fixture.claim("other", "1Gi", "", "");
    assertThat(fixture.claimState("other")).isEqualTo("Pending");
    fixture.claim("mine", "1Gi", "", "");
    assertThat(fixture.claimState("mine")).isEqualTo("Bound v");
    assertThat(Metadata.of(fixture.getVolume("v")).annotations().names())
        .doesNotContain("pv.kubernetes.io/bound-by-controller");

    fixture.claim("choosy", "1Gi", "", ",'volumeName':'w'");
    assertThat(fixture.claimState("choosy")).isEqualTo("Pending w");
    fixture.volume("w", "1Gi", "");
    assertThat(fixture.claimState("choosy")).isEqualTo("Bound w");
    assertThat(fixture.claimState("other")).isEqualTo("Pending");
    fixture.claim("late", "1Gi", "", ",'volumeName':'w'");
    assertThat(fixture.claimState("late")).isEqualTo("Pending w");
    assertThat(cluster.events("late", "FailedBinding"))
        .containsExactly("volume \"w\" already bound to a different claim.");
  }

  @Test
  void aVolumeOfADeletedClaimIsKeptUntilSomebodyMakesItAvailable() {
    fixture.volume("v", "1Gi", "");
    fixture.claim("data", "1Gi", "", "");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    assertThat(fixture.claimState("data")).isEqualTo("gone");
    assertThat(fixture.volumeState("v")).isEqualTo("Released data");

    fixture.claim("data", "1Gi", "", "");
    assertThat(fixture.claimState("data")).as("data of an earlier claim").isEqualTo("Pending");
    cluster.patch(Resources.PERSISTENT_VOLUMES, ObjectName.of("v"), "{'spec':{'claimRef':null}}");
    cluster.settle();
    assertThat(fixture.claimState("data")).isEqualTo("Bound v");
  }

  @Test
  void whatNobodyCanDeleteOrRecycleHasFailed() {
    fixture.volume("d", "1Gi", ",'persistentVolumeReclaimPolicy':'Delete'");
    fixture.volume("r", "2Gi", ",'persistentVolumeReclaimPolicy':'Recycle'");
    fixture.claim("one", "1Gi", "", "");
    fixture.claim("two", "2Gi", "", "");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "one");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "two");
    assertThat(fixture.volumeState("d")).isEqualTo("Failed one");
    assertThat(fixture.volumeState("r")).isEqualTo("Failed two");
    assertThat(cluster.events("d", "VolumeFailedDelete")).hasSize(1);
    assertThat(cluster.events("r", "VolumeFailedRecycle"))
        .containsExactly("No recycler plugin found for the volume!");
    assertThat(fixture.getVolume("r").object("status").text("message"))
        .isEqualTo("No recycler plugin found for the volume!");
  }

  @Test
  void aVolumeStaysAsLongAsAClaimHasItAndAClaimAsLongAsAPodUsesIt() {
    fixture.volume("v", "1Gi", "");
    fixture.claim("data", "1Gi", "", "");
    cluster.pod(
        "db",
        "1",
        "{'nodeName':'n','volumes':[{'name':'d','persistentVolumeClaim':{'claimName':'data'}}]}");
    fixture.delete(Resources.PERSISTENT_VOLUMES, "v");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    cluster.restart("pvc");
    cluster.restart("pv");
    cluster.advance(Duration.ofHours(1));
    assertThat(fixture.claimState("data")).isEqualTo("Bound v");
    assertThat(fixture.volumeState("v")).isEqualTo("Bound data");

    cluster.delete(Resources.PODS, VirtualCluster.podName("db"));
    cluster.settle();
    assertThat(fixture.claimState("data")).isEqualTo("gone");
    assertThat(fixture.volumeState("v")).isEqualTo("gone");
  }

  @Test
  void whoseVolumeIsGoneIsLost() {
    fixture.volume("v", "1Gi", "");
    fixture.claim("data", "1Gi", "", "");
    cluster.patch(
        Resources.PERSISTENT_VOLUMES, ObjectName.of("v"), "{'metadata':{'finalizers':null}}");
    cluster.crash("pv");
    cluster.patch(
        Resources.PERSISTENT_VOLUMES, ObjectName.of("v"), "{'metadata':{'finalizers':null}}");
    fixture.delete(Resources.PERSISTENT_VOLUMES, "v");
    assertThat(fixture.claimState("data")).isEqualTo("Lost v");
    assertThat(cluster.events("data", "ClaimLost"))
        .containsExactly("Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  }

  @Test
  void claimsWithoutAClassGetTheDefaultOnceThereIsOne() {
    cluster.create(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        "{'metadata':{'namespace':'default','name':'data'},'spec':{"
            + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}");
    fixture.claim("none", "1Gi", "", "");
    cluster.create(
        Resources.STORAGE_CLASSES,
        "{'metadata':{'name':'standard','annotations':{"
            + "'storageclass.kubernetes.io/is-default-class':'true'}},"
            + "'provisioner':'example.com/disk'}");
    cluster.settle();
    assertThat(fixture.getClaim("data").object("spec").text("storageClassName"))
        .isEqualTo("standard");
    assertThat(fixture.getClaim("none").object("spec").text("storageClassName")).isEmpty();
  }

  /** What a CSI provisioner waits for, and what it does. */
  @Test
  void anExternalProvisionerIsAskedAndItsVolumeBound() {
    fixture.storageClass("disk", "example.com/disk", "Immediate", "");
    fixture.claim("data", "1Gi", "disk", "");
    JsonObject annotations = Metadata.of(fixture.getClaim("data")).annotations();
    assertThat(annotations.text("volume.kubernetes.io/storage-provisioner"))
        .isEqualTo("example.com/disk");
    assertThat(annotations.text("volume.beta.kubernetes.io/storage-provisioner"))
        .isEqualTo("example.com/disk");
    assertThat(cluster.events("data", "ExternalProvisioning")).hasSize(1);

    String uid = Metadata.of(fixture.getClaim("data")).uid();
    fixture.volume(
        "pvc-" + uid,
        "1Gi",
        ",'storageClassName':'disk','persistentVolumeReclaimPolicy':'Delete',"
            + "'claimRef':{'namespace':'default','name':'data','uid':'"
            + uid
            + "'}");
    cluster.patch(
        Resources.PERSISTENT_VOLUMES,
        ObjectName.of("pvc-" + uid),
        "{'metadata':{'annotations':{'pv.kubernetes.io/provisioned-by':'example.com/disk'}}}");
    cluster.settle();
    assertThat(fixture.claimState("data")).isEqualTo("Bound pvc-" + uid);

    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    assertThat(fixture.volumeState("pvc-" + uid))
        .as("its provisioner deletes it")
        .isEqualTo("Released data");
  }

  @Test
  void aSharedDirectoryIsMadeAtOnceAndGoesWithItsClaim() {
    fixture.storageClass(
        "nfs",
        VolumeFixture.DIRECTORIES,
        "Immediate",
        ",'parameters':{'shared':'true','path':'/nfs'}");
    fixture.claim("data", "1Gi", "nfs", "");
    String volume = "pvc-" + Metadata.of(fixture.getClaim("data")).uid();
    assertThat(fixture.claimState("data")).isEqualTo("Bound " + volume);
    assertThat(fixture.getVolume(volume).object("spec").object("hostPath").text("path"))
        .isEqualTo("/nfs/default-data-" + volume);
    assertThat(cluster.events("data", "ProvisioningSucceeded"))
        .containsExactly(
            "Successfully provisioned volume " + volume + " using berth.dev/local-directory");
    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "data");
    assertThat(fixture.volumeState(volume)).isEqualTo("gone");
  }

  @Test
  void aClassThatCannotWorkSaysWhatWouldBeRight() {
    fixture.storageClass("bad", VolumeFixture.DIRECTORIES, "Immediate", "");
    fixture.claim("data", "1Gi", "bad", "");
    assertThat(cluster.events("data", "ProvisioningFailed"))
        .containsExactly(
            "Failed to provision volume with StorageClass \"bad\": a directory of one node needs"
                + " volumeBindingMode WaitForFirstConsumer, so that the node is known; or the"
                + " parameter shared: \"true\", if all nodes see the same files under"
                + " /var/lib/berth/volumes");
    assertThat(fixture.claimState("data")).isEqualTo("Pending");
  }

  @Test
  void aClaimWhoseNodeIsGoneGetsAnother() {
    fixture.storageClass("dir", VolumeFixture.DIRECTORIES, "WaitForFirstConsumer", "");
    fixture.claim("data", "1Gi", "dir", "");
    cluster.patch(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        VirtualCluster.podName("data"),
        "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'ghost'}}}");
    cluster.settle();
    assertThat(Metadata.of(fixture.getClaim("data")).annotations().names())
        .doesNotContain("volume.kubernetes.io/selected-node");
    assertThat(cluster.events("data", "ProvisioningFailed"))
        .containsExactly("Failed to get target node: node \"ghost\" not found");
  }

  @Test
  void aVolumeThatLivesWithItsPodHasAClaimThatGoesWithIt() {
    cluster.run(
        "ephemeral",
        () -> EphemeralVolumeController.start(cluster.parts(EphemeralVolumeController.ACCOUNT)));
    cluster.run(
        "gc",
        () ->
            GarbageCollector.start(
                cluster.parts(GarbageCollector.ACCOUNT), GarbageCollectorSettings.DEFAULT));
    cluster.pod(
        "web",
        "1",
        "{'volumes':[{'name':'cache','ephemeral':{'volumeClaimTemplate':{'metadata':{'labels':{'a':'b'}},"
            + "'spec':{'storageClassName':'','accessModes':['ReadWriteOnce'],"
            + "'resources':{'requests':{'storage':'1Gi'}}}}}}]}");
    cluster.settle();
    JsonObject claim = fixture.getClaim("web-cache");
    assertThat(Metadata.of(claim).labels().text("a")).isEqualTo("b");
    assertThat(Metadata.of(claim).isControlledBy(Metadata.of(cluster.getPod("web")).uid()))
        .isTrue();

    fixture.delete(Resources.PERSISTENT_VOLUME_CLAIMS, "web-cache");
    assertThat(Metadata.of(fixture.getClaim("web-cache")).uid())
        .as("it is made again")
        .isNotEmpty()
        .isNotEqualTo(Metadata.of(claim).uid());

    cluster.delete(Resources.PODS, VirtualCluster.podName("web"));
    cluster.advance(Duration.ofSeconds(10));
    assertThat(fixture.claimState("web-cache")).isEqualTo("gone");
  }

  @Test
  void aClaimOfSomebodyElseIsNotTaken() {
    cluster.run(
        "ephemeral",
        () -> EphemeralVolumeController.start(cluster.parts(EphemeralVolumeController.ACCOUNT)));
    fixture.claim("web-cache", "1Gi", "", "");
    cluster.pod(
        "web",
        "1",
        "{'volumes':[{'name':'cache','ephemeral':{'volumeClaimTemplate':{"
            + "'spec':{'accessModes':['ReadWriteOnce'],"
            + "'resources':{'requests':{'storage':'1Gi'}}}}}}]}");
    cluster.settle();
    assertThat(cluster.events("web", "FailedBinding"))
        .containsExactly(
            "ephemeral volume cache: PVC default/web-cache was not created for pod default/web (pod"
                + " is not owner)");
  }
}
