package dev.berth.policy.persistentvolume;

import static dev.berth.policy.persistentvolume.StorageFixtures.claim;
import static dev.berth.policy.persistentvolume.StorageFixtures.storageClass;
import static dev.berth.policy.persistentvolume.StorageFixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.policy.persistentvolume.ClaimDecision.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimDecisionTest {
  private static final String BOUND =
      "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes'}},"
          + "'spec':{'volumeName':'v'}}";
  private static final String TO_US =
      "{'spec':{'claimRef':{'namespace':'ns','name':'data','uid':'u'}}}";
  private static final String TO_ANOTHER =
      "{'spec':{'claimRef':{'namespace':'ns','name':'data','uid':'x'}}}";
  private static final String WAITS = "{'volumeBindingMode':'WaitForFirstConsumer'}";
  private static final String SELECTED =
      "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'n1'}}}";

  private static Snapshot free(PersistentVolumeView... volumes) {
    List<PersistentVolumeView> ordered = Arrays.stream(volumes).sorted(VolumeMatch.ORDER).toList();
    return new Snapshot(
        Optional.empty(), List.of(), ordered, Optional.empty(), Optional.empty(), List.of());
  }

  private static Snapshot promised(PersistentVolumeView promised, PersistentVolumeView... free) {
    Snapshot snapshot = free(free);
    return new Snapshot(
        Optional.empty(),
        List.of(promised),
        snapshot.free(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  private static Snapshot named(PersistentVolumeView volume) {
    return new Snapshot(
        Optional.of(volume), List.of(), List.of(), Optional.empty(), Optional.empty(), List.of());
  }

  private static Snapshot ofClass(String changes, String... pods) {
    return new Snapshot(
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.of(storageClass(changes)),
        Optional.empty(),
        List.of(pods));
  }

  private static String text(ClaimAction action) {
    return switch (action) {
      case ClaimAction.Bind(PersistentVolumeView volume) -> "bind " + volume.name();
      case ClaimAction.AssignClass(String name) -> "class " + name;
      case ClaimAction.Provision _ -> "provision";
      case ClaimAction.AskProvisioner(StorageClassView storageClass, Notice notice) ->
          "ask " + storageClass.provisioner() + " " + notice.reason();
      case ClaimAction.Settle(String phase, Notice notice) ->
          phase + (notice == null ? "" : " " + notice.reason() + ": " + notice.message());
    };
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        argumentSet(
            "the smallest that is large enough",
            "{}",
            free(
                volume("small", "{'spec':{'capacity':{'storage':'1Gi'}}}"),
                volume("large", "{'spec':{'capacity':{'storage':'9Gi'}}}"),
                volume("right", "{'spec':{'capacity':{'storage':'3Gi'}}}")),
            "bind right"),
        argumentSet(
            "rather one with fewer access modes than a smaller one",
            "{}",
            free(
                volume(
                    "shared",
                    "{'spec':{'capacity':{'storage':'3Gi'},'accessModes':['ReadWriteOnce','ReadWriteMany']}}"),
                volume("own", "{}")),
            "bind own"),
        argumentSet(
            "all access modes are needed",
            "{'spec':{'accessModes':['ReadWriteOnce','ReadWriteMany']}}",
            free(volume("v", "{}")),
            "Pending ProvisioningFailed: storageclass.storage.k8s.io \"c\" not found"),
        argumentSet(
            "labels are asked for",
            "{'spec':{'selector':{'matchLabels':{'disk':'fast'}}}}",
            free(volume("a", "{}"), volume("b", "{'metadata':{'labels':{'disk':'fast'}}}")),
            "bind b"),
        argumentSet(
            "not one of another mode, of another attributes class, that is going or not available",
            "{}",
            free(
                volume("block", "{'spec':{'volumeMode':'Block'}}"),
                volume("gold", "{'spec':{'volumeAttributesClassName':'gold'}}"),
                volume("going", "{'metadata':{'deletionTimestamp':'2030-01-01T00:00:00Z'}}"),
                volume("released", "{'status':{'phase':'Released'}}")),
            "Pending ProvisioningFailed: storageclass.storage.k8s.io \"c\" not found"),
        argumentSet(
            "one that is promised comes first",
            "{}",
            promised(
                volume("mine", "{'spec':{'claimRef':{'namespace':'ns','name':'data'}}}"),
                volume("v", "{'spec':{'capacity':{'storage':'3Gi'}}}")),
            "bind mine"),
        argumentSet(
            "but not one that is too small",
            "{}",
            promised(
                volume(
                    "mine",
                    "{'spec':{'capacity':{'storage':'1Gi'},'claimRef':{'namespace':'ns','name':'data'}}}"),
                volume("v", "{}")),
            "bind v"),
        argumentSet(
            "nor one that is going",
            "{}",
            promised(
                volume(
                    "mine",
                    "{'metadata':{'deletionTimestamp':'2030-01-01T00:00:00Z'},'spec':{'claimRef':{'namespace':'ns','name':'data'}}}"),
                volume("v", "{}")),
            "bind v"),
        argumentSet(
            "unless it is the claim's already",
            "{}",
            promised(
                volume(
                    "mine",
                    "{'metadata':{'deletionTimestamp':'2030-01-01T00:00:00Z'},'spec':{'claimRef':{'namespace':'ns','name':'data','uid':'u'}}}"),
                volume("v", "{}")),
            "bind mine"),
        argumentSet(
            "nor one that is promised to an earlier claim of the name",
            "{}",
            promised(volume("theirs", TO_ANOTHER), volume("v", "{}")),
            "bind v"),
        argumentSet(
            "no class and no volume",
            "{'spec':{'storageClassName':''}}",
            Snapshot.EMPTY,
            "Pending FailedBinding: no persistent volumes available for this claim and no storage"
                + " class is set"),
        argumentSet(
            "waits for a pod",
            "{}",
            ofClass(WAITS),
            "Pending WaitForFirstConsumer: waiting for first consumer to be created before binding"),
        argumentSet(
            "waits for this pod",
            "{}",
            ofClass(WAITS, "p1"),
            "Pending WaitForPodScheduled: waiting for pod p1 to be scheduled"),
        argumentSet(
            "waits for these pods",
            "{}",
            ofClass(WAITS, "p1", "p2"),
            "Pending WaitForPodScheduled: waiting for pods p1,p2 to be scheduled"),
        argumentSet(
            "a node was selected",
            SELECTED,
            ofClass(WAITS),
            "ask example.com/disk ExternalProvisioning"),
        argumentSet("at once", "{}", ofClass("{}"), "ask example.com/disk ExternalProvisioning"),
        argumentSet(
            "nobody makes it",
            "{}",
            ofClass("{'provisioner':'kubernetes.io/no-provisioner'}"),
            "Pending ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner"),
        argumentSet(
            "made here",
            SELECTED,
            ofClass(
                "{'provisioner':'berth.dev/local-directory','volumeBindingMode':'WaitForFirstConsumer'}"),
            "provision"),
        argumentSet(
            "nothing is made for a claim that is going",
            "{'metadata':{'deletionTimestamp':'2030-01-01T00:00:00Z'}}",
            ofClass("{}"),
            "Pending"),
        argumentSet(
            "names a volume that is not there", "{'spec':{'volumeName':'v'}}", free(), "Pending"),
        argumentSet(
            "names a free volume",
            "{'spec':{'volumeName':'v'}}",
            named(volume("v", "{}")),
            "bind v"),
        argumentSet(
            "names a volume of another class",
            "{'spec':{'volumeName':'v'}}",
            named(volume("v", "{'spec':{'storageClassName':'d'}}")),
            "Pending VolumeMismatch: Cannot bind to requested volume \"v\": storageClassName does"
                + " not match"),
        argumentSet(
            "names a volume that is too small",
            "{'spec':{'volumeName':'v'}}",
            named(volume("v", "{'spec':{'capacity':{'storage':'1Gi'}}}")),
            "Pending VolumeMismatch: Cannot bind to requested volume \"v\": requested PV is too"
                + " small"),
        argumentSet(
            "names a volume that is promised to it",
            "{'spec':{'volumeName':'v'}}",
            named(volume("v", TO_US)),
            "bind v"),
        argumentSet(
            "names a volume of another claim",
            "{'spec':{'volumeName':'v'}}",
            named(volume("v", TO_ANOTHER)),
            "Pending FailedBinding: volume \"v\" already bound to a different claim."),
        argumentSet("was bound, and is", BOUND, named(volume("v", TO_US)), "bind v"),
        argumentSet("its volume forgot it", BOUND, named(volume("v", "{}")), "bind v"),
        argumentSet(
            "its volume is gone",
            BOUND,
            free(),
            "Lost ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is"
                + " lost!"),
        argumentSet(
            "its volume is another's",
            BOUND,
            named(volume("v", TO_ANOTHER)),
            "Lost ClaimMisbound: Two claims are bound to the same volume, this one is bound"
                + " incorrectly"),
        argumentSet(
            "it forgot its volume",
            "{'metadata':{'annotations':{'pv.kubernetes.io/bind-completed':'yes'}}}",
            free(volume("v", "{}")),
            "Lost ClaimLost: Bound claim has lost reference to PersistentVolume. Data on the volume"
                + " is lost!"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void decides(String claim, Snapshot snapshot, String expected) {
    assertThat(text(ClaimDecision.decide(claim(claim), snapshot))).isEqualTo(expected);
  }

  @Test
  void aClaimWithoutAClassGetsTheDefaultUnlessAVolumeWillDo() {
    PersistentVolumeClaimView claim =
        PersistentVolumeClaimView.read(
            claim("{}")
                .tree()
                .with("spec", claim("{}").tree().object("spec").without("storageClassName")));
    PersistentVolumeView volume = volume("v", "{'spec':{'storageClassName':''}}");
    Optional<StorageClassView> standard =
        Optional.of(storageClass("{'metadata':{'name':'standard'}}"));
    Snapshot without =
        new Snapshot(Optional.empty(), List.of(), List.of(), Optional.empty(), standard, List.of());
    Snapshot with =
        new Snapshot(
            Optional.empty(), List.of(), List.of(volume), Optional.empty(), standard, List.of());
    assertThat(text(ClaimDecision.decide(claim, without))).isEqualTo("class standard");
    assertThat(text(ClaimDecision.decide(claim, with))).isEqualTo("bind v");
  }

  @Test
  void theNewestDefaultCounts() {
    String isDefault = "'annotations':{'storageclass.kubernetes.io/is-default-class':'true'}";
    StorageClassView old =
        storageClass(
            "{'metadata':{'name':'old','creationTimestamp':'2030-01-01T00:00:00Z',"
                + isDefault
                + "}}");
    StorageClassView latest =
        storageClass(
            "{'metadata':{'name':'new','creationTimestamp':'2030-01-02T00:00:00Z',"
                + isDefault
                + "}}");
    StorageClassView twin =
        storageClass(
            "{'metadata':{'name':'twin','creationTimestamp':'2030-01-02T00:00:00Z',"
                + isDefault
                + "}}");
    assertThat(DefaultClass.of(List.of(old, twin, latest, storageClass("{}")))).contains(latest);
  }
}
