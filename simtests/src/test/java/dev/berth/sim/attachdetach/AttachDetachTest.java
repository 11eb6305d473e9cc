package dev.berth.sim.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.attachdetach.AttachDetachController;
import dev.berth.controllers.attachdetach.AttachDetachSettings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The controller alone: the test is the driver, the nodes, and whoever makes and deletes pods. */
class AttachDetachTest {
  private static final String DRIVER = "csi.test";
  private static final String UNIQUE = "kubernetes.io/csi/csi.test^disk";

  private final VirtualCluster cluster = new VirtualCluster(1);
  private final AttachmentFixture volumes = new AttachmentFixture(cluster);

  @BeforeEach
  void start() {
    start(AttachDetachSettings.DEFAULT);
    node("a");
    node("b");
    volumes.make("disk", DRIVER, "ReadWriteOnce");
  }

  private void start(AttachDetachSettings settings) {
    cluster.run(
        "ad",
        () ->
            AttachDetachController.start(cluster.parts(AttachDetachController.ACCOUNT), settings));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  private void node(String name) {
    cluster.node(name, "4");
    cluster.patch(
        Resources.NODES,
        ObjectName.of(name),
        "{'metadata':{'annotations':{'volumes.kubernetes.io/controller-managed-attach-detach':'true'}}}");
    cluster.settle();
  }

  private void nodeStatus(String node, String status) {
    cluster.patchStatus(Resources.NODES, ObjectName.of(node), "{'status':{" + status + "}}");
    cluster.settle();
  }

  private void uses(String node, String... names) {
    String list = names.length == 0 ? "null" : "['" + String.join("','", names) + "']";
    nodeStatus(node, "'volumesInUse':" + list);
  }

  private void ready(String node, String status) {
    nodeStatus(node, "'conditions':[{'type':'Ready','status':'" + status + "'}]");
  }

  /** The driver says that it has attached everything. */
  private void attach() {
    for (JsonObject attachment : cluster.list(Resources.VOLUME_ATTACHMENTS)) {
      cluster.patchStatus(
          Resources.VOLUME_ATTACHMENTS, ObjectName.of(attachment), "{'status':{'attached':true}}");
    }
    cluster.settle();
  }

  /** A pod that runs with the volume on node a, whose end nobody will confirm. */
  private void aPodUsesTheVolumeOnA() {
    volumes.pod("old", "a", "disk");
    uses("a", UNIQUE);
    attach();
    assertThat(volumes.reportedAttached("a")).containsExactly("disk");
  }

  private String forced(String reason) {
    return "attach_detach_controller_attachdetach_controller_forced_detaches{reason=\"%s\"} 1"
        .formatted(reason);
  }

  @Test
  void aVolumeIsAttachedWhereAPodNeedsItAndTheNodeIsToldOnceItIs() {
    volumes.pod("web", "a", "disk");
    JsonObject attachment = cluster.list(Resources.VOLUME_ATTACHMENTS).getFirst();
    // sha256 of the handle, the driver and the node.
    assertThat(Metadata.of(attachment).name())
        .isEqualTo("csi-fcaf9cde1b63bf10f5f114969cb038cf5e6e020f4a439c9752e05c0599314bc2");
    assertThat(attachment.object("spec"))
        .isEqualTo(
            VirtualCluster.tree(
                "{'attacher':'csi.test','nodeName':'a','source':{'persistentVolumeName':'disk'}}"));
    assertThat(volumes.reportedAttached("a")).isEmpty();

    attach();
    assertThat(volumes.reportedAttached("a")).containsExactly("disk");
    assertThat(cluster.events("web", "SuccessfulAttachVolume"))
        .containsExactly("AttachVolume.Attach succeeded for volume \"disk\"");
    assertThat(cluster.metrics(AttachDetachController.ACCOUNT))
        .contains(
            "attachdetach_controller_total_volumes{plugin_name=\"kubernetes.io/csi:csi.test\",state=\"actual_state_of_world\"} 1",
            "attachdetach_controller_total_volumes{plugin_name=\"kubernetes.io/csi:csi.test\",state=\"desired_state_of_world\"} 1");
  }

  @Test
  void aDriverThatCannotAttachIsQuotedToThePod() {
    volumes.pod("web", "a", "disk");
    cluster.patchStatus(
        Resources.VOLUME_ATTACHMENTS,
        ObjectName.of(cluster.list(Resources.VOLUME_ATTACHMENTS).getFirst()),
        "{'status':{'attached':false,'attachError':{'message':'100% full'}}}");
    cluster.settle();
    assertThat(cluster.events("web", "FailedAttachVolume"))
        .containsExactly("AttachVolume.Attach failed for volume \"disk\" : 100% full");
  }

  @Test
  void aPodWaitsForItsClaimToBeBound() {
    volumes.claim("later", "ReadWriteOnce");
    volumes.pod("web", "a", "later");
    assertThat(volumes.attachments("later")).isEmpty();
    volumes.bindClaim(
        "later", "ReadWriteOnce", "'csi':{'driver':'csi.test','volumeHandle':'later'}");
    assertThat(volumes.attachments("later")).containsExactly("a wanted");
  }

  @Test
  void whatNeedsNoAttachmentGetsNone() {
    volumes.makeLocal("directory");
    volumes.pod("web", "a", "directory");
    cluster.create(
        Resources.CSI_DRIVERS, "{'metadata':{'name':'csi.nfs'},'spec':{'attachRequired':false}}");
    volumes.make("share", "csi.nfs", "ReadWriteMany");
    volumes.pod("other", "a", "share");
    assertThat(cluster.list(Resources.VOLUME_ATTACHMENTS)).isEmpty();
  }

  @Test
  void aNodeThatAttachesByItselfIsLeftAlone() {
    cluster.node("own", "4");
    volumes.pod("web", "own", "disk");
    assertThat(volumes.attachments("disk")).isEmpty();
  }

  @Test
  void aVolumeIsDetachedOnceNoPodNeedsItAndItsNodeNoLongerUsesIt() {
    aPodUsesTheVolumeOnA();
    volumes.forceDelete("old");
    cluster.advance(Duration.ofMinutes(30));
    assertThat(volumes.attachments("disk"))
        .as("a healthy node uses it")
        .containsExactly("a attached");
    assertThat(volumes.reportedAttached("a")).containsExactly("disk");

    uses("a");
    assertThat(volumes.attachments("disk")).isEmpty();
    assertThat(volumes.reportedAttached("a")).isEmpty();
  }

  @Test
  void aTerminatingPodKeepsItsVolume() {
    aPodUsesTheVolumeOnA();
    cluster.patchStatus(
        Resources.PODS,
        VirtualCluster.podName("old"),
        "{'status':{'phase':'Running','containerStatuses':[{'name':'c','image':'i','imageID':'','ready':true,'restartCount':0,'state':{'running':{}}}]}}");
    cluster.admin().delete(Resources.PODS, VirtualCluster.podName("old"));
    uses("a");
    cluster.advance(Duration.ofMinutes(30));
    assertThat(volumes.attachments("disk")).containsExactly("a attached");
  }

  @Test
  void aVolumeForOneNodeWaitsUntilTheOtherHasLetItGo() {
    aPodUsesTheVolumeOnA();
    String name = Metadata.of(cluster.list(Resources.VOLUME_ATTACHMENTS).getFirst()).name();
    cluster.patch(
        Resources.VOLUME_ATTACHMENTS,
        ObjectName.of(name),
        "{'metadata':{'finalizers':['test/driver']}}");
    volumes.pod("new", "b", "disk");
    assertThat(cluster.events("new", "FailedAttachVolume"))
        .containsExactly(
            "Multi-Attach error for volume \"disk\" Volume is already used by pod(s) old");
    assertThat(volumes.attachments("disk")).containsExactly("a attached");

    volumes.forceDelete("old");
    uses("a");
    assertThat(volumes.attachments("disk")).as("the driver holds it").containsExactly("a leaving");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(volumes.attachments("disk")).containsExactly("a leaving");

    cluster.patch(
        Resources.VOLUME_ATTACHMENTS, ObjectName.of(name), "{'metadata':{'finalizers':null}}");
    cluster.settle();
    assertThat(volumes.attachments("disk")).containsExactly("b wanted");
    assertThat(cluster.events("new", "FailedAttachVolume")).hasSize(1);
  }

  @Test
  void aVolumeForManyNodesIsAttachedToMany() {
    volumes.make("share", DRIVER, "ReadWriteMany");
    volumes.pod("one", "a", "share");
    volumes.pod("two", "b", "share");
    assertThat(volumes.attachments("share")).containsExactlyInAnyOrder("a wanted", "b wanted");
  }

  @Test
  void aVolumeIsTakenFromALostNodeSixMinutesAfterNobodyNeedsIt() {
    aPodUsesTheVolumeOnA();
    ready("a", "Unknown");
    cluster.advance(Duration.ofMinutes(30));
    assertThat(volumes.attachments("disk")).as("a pod needs it").containsExactly("a attached");

    volumes.forceDelete("old");
    cluster.advance(Duration.ofSeconds(359));
    assertThat(volumes.attachments("disk")).containsExactly("a attached");
    cluster.advance(Duration.ofSeconds(1));
    assertThat(volumes.attachments("disk")).isEmpty();
    assertThat(cluster.metrics(AttachDetachController.ACCOUNT)).contains(forced("timeout"));
    assertThat(volumes.inUse("a")).as("nobody speaks for the node").containsExactly("disk");
  }

  @Test
  void nothingIsTakenFromALostNodeIfThatIsDisabled() {
    start(AttachDetachSettings.DEFAULT.patient());
    aPodUsesTheVolumeOnA();
    ready("a", "Unknown");
    volumes.forceDelete("old");
    cluster.advance(Duration.ofHours(1));
    assertThat(volumes.attachments("disk")).containsExactly("a attached");
  }

  @Test
  void aVolumeIsTakenAtOnceFromALostNodeThatIsOutOfService() {
    aPodUsesTheVolumeOnA();
    ready("a", "Unknown");
    volumes.forceDelete("old");
    assertThat(volumes.attachments("disk")).containsExactly("a attached");
    cluster.taint("a", "[{'key':'node.kubernetes.io/out-of-service','effect':'NoSchedule'}]");
    cluster.settle();
    assertThat(volumes.attachments("disk")).isEmpty();
    assertThat(cluster.metrics(AttachDetachController.ACCOUNT)).contains(forced("out-of-service"));
  }

  @Test
  void withoutNodeOutOfServiceVolumeDetachItIsWaitedForAllTheSame() {
    start(AttachDetachSettings.DEFAULT.ignoringOutOfService());
    aPodUsesTheVolumeOnA();
    ready("a", "Unknown");
    volumes.forceDelete("old");
    cluster.taint("a", "[{'key':'node.kubernetes.io/out-of-service','effect':'NoSchedule'}]");
    cluster.settle();
    assertThat(volumes.attachments("disk")).containsExactly("a attached");
  }

  @Test
  void aDeletedNodeUsesNothing() {
    aPodUsesTheVolumeOnA();
    cluster.delete(Resources.NODES, ObjectName.of("a"));
    cluster.advance(Duration.ofMinutes(10));
    assertThat(volumes.attachments("disk")).as("its pod is there").containsExactly("a attached");
    volumes.forceDelete("old");
    assertThat(volumes.attachments("disk")).isEmpty();
  }

  @Test
  void whatIsAttachedIsKnownAfterACrash() {
    aPodUsesTheVolumeOnA();
    cluster.crash("ad");
    volumes.forceDelete("old");
    uses("a");
    volumes.pod("new", "b", "disk");
    cluster.restart("ad");
    assertThat(volumes.attachments("disk")).containsExactly("b wanted");
    assertThat(volumes.reportedAttached("a")).isEmpty();
  }

  @Test
  void anAttachmentWhoseVolumeIsGoneIsNotForgotten() {
    aPodUsesTheVolumeOnA();
    cluster.crash("ad");
    volumes.forceDelete("old");
    cluster.delete(Resources.PERSISTENT_VOLUMES, ObjectName.of("disk"));
    cluster.restart("ad");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(cluster.list(Resources.VOLUME_ATTACHMENTS)).as("in use").hasSize(1);
    uses("a");
    assertThat(cluster.list(Resources.VOLUME_ATTACHMENTS)).isEmpty();
  }

  @Test
  void anAttachmentThatSomebodyElseDeletesIsMadeAnew() {
    aPodUsesTheVolumeOnA();
    cluster.delete(
        Resources.VOLUME_ATTACHMENTS,
        ObjectName.of(cluster.list(Resources.VOLUME_ATTACHMENTS).getFirst()));
    cluster.settle();
    assertThat(volumes.attachments("disk")).containsExactly("a wanted");
    assertThat(volumes.reportedAttached("a")).isEmpty();
  }

  /** Conformance tests, too, make attachments of volumes that there are not. */
  @Test
  void anAttachmentThatSomebodyElseMadeOfAnUnknownVolumeIsTheirs() {
    cluster.create(
        Resources.VOLUME_ATTACHMENTS,
        """
        {'apiVersion':'storage.k8s.io/v1','kind':'VolumeAttachment','metadata':{'name':'theirs'},
         'spec':{'attacher':'e2e.example.com','nodeName':'a','source':{'persistentVolumeName':'unknown'}}}
        """);
    cluster.advance(Duration.ofMinutes(30));
    assertThat(cluster.list(Resources.VOLUME_ATTACHMENTS)).hasSize(1);
  }
}
