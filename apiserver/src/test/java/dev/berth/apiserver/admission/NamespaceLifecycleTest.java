package dev.berth.apiserver.admission;

import static dev.berth.apiserver.registry.World.json;
import static dev.berth.apiserver.registry.World.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.registry.DeleteOptions;
import dev.berth.apiserver.registry.World;
import dev.berth.apiserver.registry.WriteOptions;
import dev.berth.apiserver.status.Status;
import dev.berth.model.resource.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What namespaces mean for what is in them. */
class NamespaceLifecycleTest {
  private final World world = World.withPolicies();

  private Status creatingIn(String namespace) {
    return refused(() -> world.create("", "configmaps", namespace, "{'metadata':{'name':'c'}}"));
  }

  @Test
  void nothingIsCreatedInANamespaceThatIsNot() {
    Status status = creatingIn("nowhere");
    assertThat(status.code()).isEqualTo(404);
    assertThat(status.message()).isEqualTo("namespaces \"nowhere\" not found");
  }

  @Test
  void nothingIsCreatedInANamespaceThatGoes() {
    world.create("namespaces", "{'metadata':{'name':'going'}}");
    world.registry.delete(world.core("namespaces"), ObjectName.of("going"), DeleteOptions.DEFAULT);
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
    world.create("namespaces", "{'metadata':{'name':'going'}}");
    world.create("", "configmaps", "going", "{'metadata':{'name':'c'}}");
    world.registry.delete(world.core("namespaces"), ObjectName.of("going"), DeleteOptions.DEFAULT);
    assertThat(
            world
                .registry
                .update(
                    world.core("configmaps"),
                    new ObjectName("going", "c"),
                    json("{'metadata':{'name':'c'},'data':{'a':'b'}}"),
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
            world.registry.delete(
                world.core("namespaces"), ObjectName.of(namespace), DeleteOptions.DEFAULT));
    assertThat(status.code()).isEqualTo(403);
    assertThat(status.message())
        .isEqualTo(
            "namespaces \"%s\" is forbidden: this namespace may not be deleted"
                .formatted(namespace));
  }
}
