package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import org.junit.jupiter.api.Test;

/** Which claims grow. */
class PersistentVolumeClaimResizeTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private void claim(String storageClass, boolean expandable, boolean bound) {
    cluster.create(
        "storage.k8s.io",
        "storageclasses",
        "",
        "{'metadata':{'name':'%s'},'provisioner':'p','allowVolumeExpansion':%s}"
            .formatted(storageClass, expandable));
    cluster.create(
        "persistentvolumeclaims",
        "{'metadata':{'name':'c'},'spec':{'storageClassName':'%s','accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(storageClass));
    if (bound) {
      cluster.registry.modify(
          cluster.core("persistentvolumeclaims"),
          named("c"),
          WriteOptions.DEFAULT.subresource("status"),
          claim -> claim.with("status", tree("{'phase':'Bound'}")));
    }
  }

  private void resize(String size) {
    cluster.registry.modify(
        cluster.core("persistentvolumeclaims"),
        named("c"),
        WriteOptions.DEFAULT,
        claim ->
            claim.with(
                "spec",
                claim
                    .object("spec")
                    .with("resources", tree("{'requests':{'storage':'%s'}}".formatted(size)))));
  }

  @Test
  void aBoundClaimOfAClassThatAllowsItGrows() {
    claim("fast", true, true);
    resize("2Gi");
  }

  @Test
  void aClaimThatIsNotBoundDoesNotGrow() {
    claim("fast", true, false);
    assertThat(refused(() -> resize("2Gi")).message())
        .contains("spec is immutable after creation except resources.requests");
  }

  @Test
  void aClaimOfAnotherClassDoesNotGrow() {
    claim("slow", false, true);
    assertThat(refused(() -> resize("2Gi")).message())
        .contains(
            "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize");
  }
}
