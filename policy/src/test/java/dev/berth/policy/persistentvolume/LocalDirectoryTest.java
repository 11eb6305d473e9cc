package dev.berth.policy.persistentvolume;

import static dev.berth.policy.persistentvolume.StorageFixtures.claim;
import static dev.berth.policy.persistentvolume.StorageFixtures.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.fixture.Fixtures;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.storage.StorageClassView;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDirectoryTest {
  private static StorageClassView directories(String changes) {
    String mode =
        changes.contains("volumeBindingMode") ? "" : ",'volumeBindingMode':'WaitForFirstConsumer'";
    return storageClass("{'provisioner':'berth.dev/local-directory'" + mode + changes + "}");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|{}|``",
        ",'parameters':{'path':'/data','shared':'false'}|{}|``",
        ",'parameters':{'size':'1'}|{}|unknown parameters [size]; there are \"path\" and \"shared\"",
        ",'parameters':{'path':'data'}|{}|the parameter path is \"data\"; it should be an absolute path without \"..\", such as /var/lib/berth/volumes",
        ",'parameters':{'path':'/a/../b'}|{}|the parameter path is \"/a/../b\"; it should be an absolute path without \"..\", such as /var/lib/berth/volumes",
        ",'parameters':{'shared':'yes'}|{}|the parameter shared is \"yes\"; it should be \"true\" or \"false\"",
        ",'volumeBindingMode':'Immediate'|{}|a directory of one node needs volumeBindingMode WaitForFirstConsumer, so that the node is known; or the parameter shared: \"true\", if all nodes see the same files under /var/lib/berth/volumes",
        ",'volumeBindingMode':'Immediate','parameters':{'shared':'true'}|{'spec':{'accessModes':['ReadWriteMany']}}|``",
        ",'mountOptions':['ro']|{}|directories have no mount options, but the class has [ro]",
        "``|{'spec':{'volumeMode':'Block'}}|a directory has volumeMode Filesystem, but the claim asks for Block",
        "``|{'spec':{'accessModes':['ReadWriteMany']}}|a directory of one node has access mode ReadWriteOnce or ReadWriteOncePod, but the claim asks for [ReadWriteMany]",
        "``|{'spec':{'selector':{}}}|claim.spec.selector is not supported for dynamic provisioning",
        "``|{'spec':{'dataSource':{'kind':'X'}}}|a new directory is empty, but the claim has a data source",
        "``|{'spec':{'volumeAttributesClassName':'gold'}}|directories have no volume attributes classes",
      })
  void saysWhatWouldBeRight(String storageClass, String claim, String problem) {
    assertThat(LocalDirectory.problem(claim(claim), directories(storageClass)).orElse(""))
        .isEqualTo(problem);
  }

  @Test
  void aDirectoryIsOfTheNodeThatWasSelected() {
    JsonObject made = LocalDirectory.volume(claim("{}"), directories(""), "host-1");
    assertThat(made)
        .hasToString(
            Fixtures.tree(
                    "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'pvc-u',"
                        + "'annotations':{'pv.kubernetes.io/provisioned-by':'berth.dev/local-directory',"
                        + "'pv.kubernetes.io/bound-by-controller':'yes'},"
                        + "'finalizers':['kubernetes.io/pv-protection']},"
                        + "'spec':{'capacity':{'storage':'3Gi'},'accessModes':['ReadWriteOnce'],"
                        + "'volumeMode':'Filesystem','persistentVolumeReclaimPolicy':'Delete',"
                        + "'storageClassName':'c','claimRef':{'apiVersion':'v1',"
                        + "'kind':'PersistentVolumeClaim','namespace':'ns','name':'data','uid':'u',"
                        + "'resourceVersion':'7'},"
                        + "'local':{'path':'/var/lib/berth/volumes/ns-data-pvc-u'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':["
                        + "{'key':'kubernetes.io/hostname','operator':'In','values':['host-1']}]}]}}}}")
                .toString());
  }

  @Test
  void aVolumeSaysWhoseItIs() {
    JsonObject own = LocalDirectory.volume(claim("{}"), directories(""), "host-1");
    assertThat(PersistentVolumeView.read(own).hostname()).contains("host-1");
    JsonObject shared =
        LocalDirectory.volume(claim("{}"), directories(",'parameters':{'shared':'true'}"), "");
    assertThat(PersistentVolumeView.read(shared).hostname()).isEmpty();
  }

  @Test
  void aSharedDirectoryIsOfNoNode() {
    JsonObject spec =
        LocalDirectory.volume(
                claim("{}"), directories(",'parameters':{'shared':'true','path':'/nfs/'}"), "")
            .object("spec");
    assertThat(spec.has("nodeAffinity")).isFalse();
    assertThat(spec.object("hostPath").text("path")).isEqualTo("/nfs/ns-data-pvc-u");
  }

  @Test
  void noNameOfADirectoryIsTooLong() {
    String name = "x".repeat(253);
    JsonObject made =
        LocalDirectory.volume(
            claim("{'metadata':{'name':'" + name + "'}}"), directories(""), "host-1");
    String path = made.object("spec").object("local").text("path", "");
    String directory = path.substring(path.lastIndexOf('/') + 1);
    assertThat(directory).hasSize(255).startsWith("ns-xxx").endsWith("x-pvc-u");
  }
}
