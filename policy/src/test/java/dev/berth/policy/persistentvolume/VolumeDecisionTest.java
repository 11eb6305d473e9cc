package dev.berth.policy.persistentvolume;

import static dev.berth.policy.persistentvolume.StorageFixtures.claim;
import static dev.berth.policy.persistentvolume.StorageFixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.storage.PersistentVolumeClaimView;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.policy.persistentvolume.VolumeAction.Reclaim;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeDecisionTest {
  private static final String TO = "'claimRef':{'namespace':'ns','name':'data','uid':'u'}";

  private static String text(VolumeAction action) {
    return switch (action) {
      case VolumeAction.SetPhase(String phase) -> phase;
      case VolumeAction.ReconcileClaim _ -> "look at claim";
      case VolumeAction.Mismatch _ -> "mismatch";
      case VolumeAction.Unbind _ -> "unbind";
      case VolumeAction.Release(Reclaim then) ->
          "release, "
              + switch (then) {
                case Reclaim.Keep _ -> "keep";
                case Reclaim.Delete _ -> "delete";
                case Reclaim.Fail(Notice notice) -> notice.reason();
              };
    };
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "free|{'spec':{}}|{}|Available",
        "promised to a claim that is not there|{'spec':{'claimRef':{'namespace':'ns','name':'x'}}}|none|Available",
        "its claim does not know yet|{'spec':{TO}}|{}|look at claim",
        "its claim wants another mode|{'spec':{TO,'volumeMode':'Block'}}|{}|mismatch",
        "its claim has it|{'spec':{TO}}|{'spec':{'volumeName':'v'}}|Bound",
        "its claim has another|{'spec':{TO}}|{'spec':{'volumeName':'w'}}|unbind",
        "it was made for a claim that has another|{'metadata':{'annotations':{'pv.kubernetes.io/provisioned-by':'berth.dev/local-directory'}},'spec':{TO,'persistentVolumeReclaimPolicy':'Delete'}}|{'spec':{'volumeName':'w'}}|release, delete",
        "its claim is gone, and it stays|{'spec':{TO}}|none|release, keep",
        "its claim is another of the name|{'spec':{TO}}|{'metadata':{'uid':'x'}}|release, keep",
        "made here, to be deleted|{'metadata':{'annotations':{'pv.kubernetes.io/provisioned-by':'berth.dev/local-directory'}},'spec':{TO,'persistentVolumeReclaimPolicy':'Delete'}}|none|release, delete",
        "made elsewhere, deleted there|{'metadata':{'annotations':{'pv.kubernetes.io/provisioned-by':'ebs.csi.aws.com'}},'spec':{TO,'persistentVolumeReclaimPolicy':'Delete'}}|none|release, keep",
        "of a CSI driver, deleted there|{'spec':{TO,'csi':{'driver':'d'},'persistentVolumeReclaimPolicy':'Delete'}}|none|release, keep",
        "nobody can delete it|{'spec':{TO,'persistentVolumeReclaimPolicy':'Delete'}}|none|release, VolumeFailedDelete",
        "nobody can recycle it|{'spec':{TO,'persistentVolumeReclaimPolicy':'Recycle'}}|none|release, VolumeFailedRecycle",
      })
  void decides(String what, String volume, String claim, String expected) {
    Optional<PersistentVolumeClaimView> there =
        claim.equals("none") ? Optional.empty() : Optional.of(claim(claim));
    assertThat(text(VolumeDecision.decide(volume("v", volume.replace("TO", TO)), there)))
        .isEqualTo(expected);
  }

  @Test
  void whatAControllerBoundIsFreeAgainAndWhatPeoplePromisedStaysPromised() {
    PersistentVolumeView bound =
        volume(
            "v",
            "{'metadata':{'annotations':{'pv.kubernetes.io/bound-by-controller':'yes'}},'spec':{"
                + TO
                + "}}");
    assertThat(PersistentVolumeView.read(VolumeBinding.unbound(bound)).claim()).isNull();
    PersistentVolumeView promised =
        PersistentVolumeView.read(VolumeBinding.unbound(volume("v", "{'spec':{" + TO + "}}")));
    assertThat(promised.claim()).isNotNull();
    assertThat(promised.claimUid()).isEmpty();
  }

  @Test
  void aVolumeIsKeptFromItsBindingToItsRelease() {
    assertThat(Protection.keeps(volume("v", "{}"))).isFalse();
    assertThat(Protection.keeps(volume("v", "{'spec':{" + TO + "}}"))).isTrue();
    assertThat(Protection.keeps(volume("v", "{'spec':{" + TO + "},'status':{'phase':'Released'}}")))
        .isFalse();
  }

  @Test
  void aClaimThatWasFoundAfterAllKeepsItsVolume() {
    PersistentVolumeView volume = volume("v", "{'spec':{" + TO + "}}");
    String own = "{'metadata':{'uid':'%s'},'spec':{'volumeName':'%s'}}";
    String uid = volume.claimUid();
    assertThat(VolumeDecision.isStillClaimed(volume, claim(own.formatted(uid, "v")))).isTrue();
    assertThat(VolumeDecision.isStillClaimed(volume, claim(own.formatted(uid, "")))).isTrue();
    assertThat(VolumeDecision.isStillClaimed(volume, claim(own.formatted(uid, "w")))).isFalse();
    assertThat(VolumeDecision.isStillClaimed(volume, claim(own.formatted("x", "v")))).isFalse();
  }
}
