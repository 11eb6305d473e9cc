package dev.berth.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;

/** New claims have the default class, and claims and volumes a finalizer. */
class StorageAdmissionTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private JsonObject claim(String name, String spec) {
    return cluster
        .create(
            "persistentvolumeclaims",
            "{'metadata':{'name':'%s'},'spec':{%s'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}"
                .formatted(name, spec))
        .tree();
  }

  private void storageClass(String name, String value) {
    cluster.create(
        "storage.k8s.io",
        "storageclasses",
        "",
        "{'metadata':{'name':'%s','annotations':{'storageclass.kubernetes.io/is-default-class':'%s'}},'provisioner':'p'}"
            .formatted(name, value));
  }

  @Test
  void whoNamesNoClassGetsTheDefault() {
    assertThat(claim("a", "").object("spec").has("storageClassName")).isFalse();
    storageClass("slow", "false");
    storageClass("usual", "true");
    assertThat(claim("b", "").object("spec").text("storageClassName")).isEqualTo("usual");
    assertThat(claim("c", "'storageClassName':'slow',").object("spec").text("storageClassName"))
        .isEqualTo("slow");
    assertThat(claim("d", "'storageClassName':'',").object("spec").text("storageClassName"))
        .isEmpty();
  }

  @Test
  void claimsAndVolumesAreProtectedFromTheBeginning() {
    assertThat(Metadata.of(claim("a", "")).finalizers())
        .containsExactly("kubernetes.io/pvc-protection");
    JsonObject volume =
        cluster
            .create(
                "",
                "persistentvolumes",
                "",
                "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/x'}}}")
            .tree();
    assertThat(Metadata.of(volume).finalizers()).containsExactly("kubernetes.io/pv-protection");
    JsonObject attributes =
        cluster
            .create(
                "storage.k8s.io",
                "volumeattributesclasses",
                "",
                "{'metadata':{'name':'fast'},'driverName':'d.example.com','parameters':{'iops':'9'}}")
            .tree();
    assertThat(Metadata.of(attributes).finalizers())
        .containsExactly("kubernetes.io/vac-protection");
  }
}
