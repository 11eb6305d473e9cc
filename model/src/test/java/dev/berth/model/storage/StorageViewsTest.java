package dev.berth.model.storage;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;

class StorageViewsTest {

  @Test
  void aVolumeThatSaysNothingIsOfNobodyAndNothing() {
    PersistentVolumeView volume = PersistentVolumeView.read(JsonObject.EMPTY);
    assertThat(volume.claim()).isNull();
    assertThat(volume.csi()).isNull();
    assertThat(volume.capacity()).isEqualTo(Quantity.ZERO);
    assertThat(volume.mode()).isEqualTo("Filesystem");
    assertThat(volume.reclaimPolicy()).isEqualTo("Retain");
    assertThat(volume.isFree()).isFalse();
    assertThat(volume.isReleased()).isFalse();
    assertThat(volume.isMigrated()).isFalse();
  }

  @Test
  void anAmountThatCannotBeReadIsNone() {
    assertThat(PersistentVolumeView.read(tree("{'spec':{'capacity':{'storage':'much'}}}")))
        .satisfies(volume -> assertThat(volume.capacity()).isEqualTo(Quantity.ZERO));
    PersistentVolumeClaimView claim =
        PersistentVolumeClaimView.read(
            tree("{'spec':{'resources':{'requests':{'storage':'much'}}}}"));
    assertThat(claim.request()).isEqualTo(Quantity.ZERO);
    assertThat(claim.requestAsWritten()).isEqualTo("much");
  }

  @Test
  void theOlderAnnotationOfAClassCountsBeforeTheField() {
    String both =
        "{'metadata':{'annotations':{'volume.beta.kubernetes.io/storage-class':'old'}},"
            + "'spec':{'storageClassName':'new'}}";
    assertThat(PersistentVolumeView.read(tree(both)).storageClass()).isEqualTo("old");
    assertThat(PersistentVolumeClaimView.read(tree(both)).storageClass()).isEqualTo("old");
    assertThat(PersistentVolumeClaimView.classInSpec(tree(both))).isEqualTo("new");
  }

  @Test
  void aClaimMayWantNoClass() {
    PersistentVolumeClaimView none =
        PersistentVolumeClaimView.read(tree("{'spec':{'storageClassName':''}}"));
    assertThat(none.hasClass()).isTrue();
    assertThat(none.storageClass()).isEmpty();
    assertThat(PersistentVolumeClaimView.read(JsonObject.EMPTY).hasClass()).isFalse();
  }

  @Test
  void aSelectorThatCannotBeReadSelectsNothingAndNoneSelectsAll() {
    JsonObject labels = tree("{'a':'b'}");
    String odd = "{'spec':{'selector':{'matchExpressions':[{'key':'a','operator':'Like'}]}}}";
    assertThat(PersistentVolumeClaimView.read(tree(odd)).selector().matches(labels)).isFalse();
    assertThat(PersistentVolumeClaimView.read(JsonObject.EMPTY).selector().matches(labels))
        .isTrue();
  }

  @Test
  void aVolumeIsForTheClaimThatItNames() {
    PersistentVolumeClaimView claim =
        PersistentVolumeClaimView.read(
            tree("{'metadata':{'namespace':'a','name':'data','uid':'u'}}"));
    String volume = "{'spec':{'claimRef':{'namespace':'a','name':'data'%s}}}";
    assertThat(PersistentVolumeView.read(tree(volume.formatted(""))).isFor(claim)).isTrue();
    assertThat(PersistentVolumeView.read(tree(volume.formatted(",'uid':'u'"))).isFor(claim))
        .isTrue();
    assertThat(PersistentVolumeView.read(tree(volume.formatted(",'uid':'x'"))).isFor(claim))
        .isFalse();
  }

  @Test
  void aDriverAttachesUnlessItSaysOtherwise() {
    assertThat(CsiDriverView.read(tree("{'metadata':{'name':'d'}}")).attachRequired()).isTrue();
    assertThat(CsiDriverView.read(tree("{'spec':{'attachRequired':false}}")).attachRequired())
        .isFalse();
  }

  @Test
  void thePodsClaimsAreThoseItNamesAndThoseMadeForIt() {
    JsonObject pod =
        tree(
            "{'metadata':{'namespace':'a','name':'web','uid':'u'},'spec':{'volumes':["
                + "{'name':'tmp','emptyDir':{}},"
                + "{'name':'v','persistentVolumeClaim':{'claimName':'data'}},"
                + "{'name':'e','ephemeral':{'volumeClaimTemplate':{"
                + "'metadata':{'labels':{'x':'y'}},'spec':{'volumeMode':'Block'}}}}]}}");
    assertThat(PodClaim.of(pod))
        .containsExactly(
            new PodClaim(new ObjectName("a", "data"), false, ""),
            new PodClaim(new ObjectName("a", "web-e"), true, "u"));
    assertThat(EphemeralVolume.of(pod))
        .containsExactly(
            new EphemeralVolume("e", tree("{'x':'y'}"), null, tree("{'volumeMode':'Block'}")));
    assertThat(EphemeralVolume.of(pod).getFirst().claimName("web")).isEqualTo("web-e");
    assertThat(PodClaim.of(JsonObject.EMPTY)).isEmpty();
  }

  @Test
  void anAttachmentShowsWhatItsDriverSaid() {
    VolumeAttachmentView attachment =
        VolumeAttachmentView.read(
            tree(
                "{'metadata':{'name':'csi-1','uid':'u'},'spec':{'attacher':'d','nodeName':'n',"
                    + "'source':{'persistentVolumeName':'pv'}},"
                    + "'status':{'attached':false,'attachError':{'message':'no'}}}"));
    assertThat(attachment)
        .isEqualTo(new VolumeAttachmentView("csi-1", "u", "d", "n", "pv", false, false, "no"));
    assertThat(attachment.asTerminating().terminating()).isTrue();
  }

  @Test
  void aNodeNamesVolumes() {
    NodeVolumeStatus status =
        NodeVolumeStatus.read(
            tree("{'status':{'volumesInUse':['a'],'volumesAttached':[{'name':'b'}]}}"));
    assertThat(status.inUse()).containsExactly("a");
    assertThat(status.attached()).containsExactly("b");
  }
}
