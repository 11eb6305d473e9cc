package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What namespaces mean for what is in them. */
class NamespaceLifecycleTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  private Status creatingIn(String namespace) {
    return refused(() -> cluster.create("", "configmaps", namespace, "{'metadata':{'name':'c'}}"));
  }

  @Test
  void nothingIsCreatedInANamespaceThatIsNot() {
    Status status = creatingIn("nowhere");
    assertThat(status.code()).isEqualTo(404);
    assertThat(status.message()).isEqualTo("namespaces \"nowhere\" not found");
  }

  @Test
  void nothingIsCreatedInANamespaceThatGoes() {
    cluster.create("namespaces", "{'metadata':{'name':'going'}}");
    cluster.registry.delete(
        cluster.core("namespaces"), ObjectName.of("going"), DeletionOptions.DEFAULT);
    Status status = creatingIn("going");
    assertThat(status.code()).isEqualTo(403);
    assertThat(status.message())
        .isEqualTo(
            "configmaps \"c\" is forbidden: unable to create new content in namespace going because"
                + " it is being terminated");
    assertThat(status.toTree().object("details").array("causes").toString().replace('"', '\''))
        .isEqualTo(
            "[{'reason':'NamespaceTerminating','message':'namespace going is being terminated',"
                + "'field':'metadata.namespace'}]");
  }

  @Test
  void whatIsThereMayStillChange() {
    cluster.create("namespaces", "{'metadata':{'name':'going'}}");
    cluster.create("", "configmaps", "going", "{'metadata':{'name':'c'}}");
    cluster.registry.delete(
        cluster.core("namespaces"), ObjectName.of("going"), DeletionOptions.DEFAULT);
    assertThat(
            cluster
                .registry
                .update(
                    cluster.core("configmaps"),
                    new ObjectName("going", "c"),
                    tree("{'metadata':{'name':'c'},'data':{'a':'b'}}"),
                    WriteOptions.DEFAULT)
                .tree()
                .object("data")
                .text("a"))
        .isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void whatEverythingReliesOnIsNotDeleted(String namespace) {
    Status status =
        refused(() ->
            cluster.registry.delete(
                cluster.core("namespaces"), ObjectName.of(namespace), DeletionOptions.DEFAULT));
    assertThat(status.code()).isEqualTo(403);
    assertThat(status.message())
        .isEqualTo(
            "namespaces \"%s\" is forbidden: this namespace may not be deleted"
                .formatted(namespace));
  }
}
