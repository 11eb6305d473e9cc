package dev.berth.policy.attachment;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.attachment.VolumeResolver.Resolution;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VolumeResolverTest {
  private static final String BOUND = "'spec':{'volumeName':'pv'},'status':{'phase':'Bound'}";
  private static final String OF_CLAIM =
      "'claimRef':{'namespace':'x','name':'data','uid':'c1'},'accessModes':['ReadWriteOnce']";
  private static final String CSI = "'csi':{'driver':'d','volumeHandle':'h'}";

  private static JsonObject pod(String volume) {
    return tree(
        "{'metadata':{'namespace':'x','name':'web','uid':'p1'},'spec':{'volumes':[{'name':'tmp','emptyDir':{}},%s]}}"
            .formatted(volume));
  }

  private static final JsonObject USER =
      pod("{'name':'v','persistentVolumeClaim':{'claimName':'data'}}");

  private static Resolution meaning(String claim, String volume, String driver) {
    VolumeResolver known = new VolumeResolver();
    if (!claim.isEmpty()) {
      known.claimChanged(
          null, tree("{'metadata':{'namespace':'x','name':'data','uid':'c1'}," + claim + "}"));
    }
    if (!volume.isEmpty()) {
      known.volumeChanged(null, tree("{'metadata':{'name':'pv'},'spec':{" + volume + "}}"));
    }
    if (!driver.isEmpty()) {
      known.driverChanged(null, tree("{'metadata':{'name':'d'},'spec':{" + driver + "}}"));
    }
    return known.resolve(PodClaim.of(USER).getFirst());
  }

  private static Resolution attached(boolean exclusive) {
    return new Resolution.Attachable(new AttachableVolume("pv", "d", "h", exclusive));
  }

  static Stream<Arguments> meanings() {
    return Stream.of(
        argumentSet("no claim", "", "", "", waits("persistentvolumeclaim \"data\" not found")),
        argumentSet(
            "a claim that is not bound",
            "'spec':{'volumeName':'pv'},'status':{'phase':'Pending'}",
            CSI,
            "",
            waits("persistentvolumeclaim \"data\" is not bound")),
        argumentSet("no volume", BOUND, "", "", waits("persistentvolume \"pv\" not found")),
        argumentSet(
            "a volume of another claim",
            BOUND,
            CSI + ",'claimRef':{'namespace':'x','name':'data','uid':'c0'}",
            "",
            waits("persistentvolume \"pv\" is not bound to persistentvolumeclaim \"data\"")),
        argumentSet("a driver's volume", BOUND, CSI + "," + OF_CLAIM, "", attached(true)),
        argumentSet(
            "a driver's volume for many",
            BOUND,
            CSI + "," + OF_CLAIM.replace("'ReadWriteOnce'", "'ReadWriteOnce','ReadWriteMany'"),
            "",
            attached(false)),
        argumentSet(
            "a driver that attaches",
            BOUND,
            CSI + "," + OF_CLAIM,
            "'attachRequired':true",
            attached(true)),
        argumentSet(
            "a driver that does not attach",
            BOUND,
            CSI + "," + OF_CLAIM,
            "'attachRequired':false",
            new Resolution.Local()),
        argumentSet(
            "a directory",
            BOUND,
            "'local':{'path':'/disk'}," + OF_CLAIM,
            "",
            new Resolution.Local()));
  }

  private static Resolution waits(String why) {
    return new Resolution.Pending(why);
  }

  @ParameterizedTest
  @MethodSource
  void meanings(String claim, String volume, String driver, Resolution expected) {
    assertThat(meaning(claim, volume, driver)).isEqualTo(expected);
  }

  @Test
  void anInlineVolumeOfADriverIsNoClaim() {
    assertThat(PodClaim.of(pod("{'name':'v','csi':{'driver':'d'}}"))).isEmpty();
  }

  @Test
  void anEphemeralClaimMustBelongToThePod() {
    PodClaim use = PodClaim.of(pod("{'name':'v','ephemeral':{}}")).getFirst();
    assertThat(use.claim()).hasToString("x/web-v");
    VolumeResolver known = new VolumeResolver();
    known.claimChanged(null, tree("{'metadata':{'namespace':'x','name':'web-v'}," + BOUND + "}"));
    assertThat(known.resolve(use))
        .isEqualTo(waits("persistentvolumeclaim \"web-v\" was not created for the pod"));
  }

  @Test
  void attachmentsAreNamedAsUpstreamDoes() {
    AttachableVolume volume = new AttachableVolume("pv", "d", "h", true);
    assertThat(volume.uniqueName()).isEqualTo("kubernetes.io/csi/d^h");
    // sha256 of "hdn"
    assertThat(volume.attachmentName("n"))
        .isEqualTo("csi-9072ed11cc1acb5fa433a877ff339b6311d013f33bddd1d0092711a8ace5b16d");
    assertThat(AttachableVolume.attachmentName("kubernetes.io/csi/d^h", "n"))
        .isEqualTo(volume.attachmentName("n"));
    assertThat(AttachableVolume.attachmentName("kubernetes.io/nfs/x", "n")).isEmpty();
  }

  static Stream<Arguments> needs() {
    String going = "'deletionTimestamp':'2026-01-01T00:00:00Z'";
    String runs = "'phase':'Running','containerStatuses':[{'state':{'running':{}}}]";
    String ended = "'phase':'Running','containerStatuses':[{'state':{'terminated':{}}}]";
    return Stream.of(
        argumentSet("it has not begun", "", "'phase':'Pending'", true),
        argumentSet("it runs", "", runs, true),
        argumentSet("it crashed and will run again", "", ended, true),
        argumentSet("it is terminating", going, runs, true),
        argumentSet("it is terminating and nothing of it runs", going, ended, false),
        argumentSet("it was deleted before it began", going, "'phase':'Pending'", false),
        argumentSet("it has finished", "", "'phase':'Succeeded'", false),
        argumentSet("it has failed", "", "'phase':'Failed'", false));
  }

  @ParameterizedTest
  @MethodSource
  void needs(String metadata, String status, boolean expected) {
    JsonObject pod = tree("{'metadata':{%s},'status':{%s}}".formatted(metadata, status));
    assertThat(VolumeNeed.isNeeded(pod, false)).isEqualTo(expected);
    assertThat(VolumeNeed.isNeeded(pod, true)).isTrue();
  }
}
