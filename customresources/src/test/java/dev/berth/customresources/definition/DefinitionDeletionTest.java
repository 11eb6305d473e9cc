package dev.berth.customresources.definition;

import static dev.berth.customresources.fixture.Documents.object;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.DeletionOptions.Propagation;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;

/** How a definition is marked when it is deleted, and again. */
class DefinitionDeletionTest {
  private static final ObjectName NAME = ObjectName.of("foos.example.com");

  private final Registry registry = new TestCluster().registry;
  private final Resource definitions = DefinitionResource.resource();

  @BeforeEach
  void create() {
    JsonObject definition =
        object(
            """
            metadata: {name: foos.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: foos, kind: Foo}
              versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
            """);
    registry.create(definitions, "", definition, WriteOptions.DEFAULT);
  }

  @ParameterizedTest
  @NullSource
  @EnumSource(Propagation.class)
  void itHasNeitherGraceNorAnotherGenerationWhateverHappensToWhatItOwns(Propagation propagation) {
    JsonObject marked = delete(DeletionOptions.DEFAULT.propagation(propagation));
    Metadata metadata = Metadata.of(marked);
    assertThat(metadata.isBeingDeleted()).isTrue();
    assertThat(metadata.deletionGracePeriodSeconds()).isEmpty();
    assertThat(metadata.generation()).isEqualTo(1);
    assertThat(metadata.finalizers()).isEqualTo(List.of(DefinitionView.FINALIZER));
  }

  @Test
  void whoDeletesItAgainIsTreatedAsWithOtherKinds() {
    JsonObject once = delete(DeletionOptions.DEFAULT);
    JsonObject twice = delete(DeletionOptions.DEFAULT.propagation(Propagation.FOREGROUND));
    assertThat(at(twice, "metadata.deletionGracePeriodSeconds")).isEqualTo("0");
    assertThat(at(twice, "metadata.deletionTimestamp"))
        .isEqualTo(at(once, "metadata.deletionTimestamp"));
    assertThat(Metadata.of(twice).finalizers())
        .containsExactly(DefinitionView.FINALIZER, "foregroundDeletion");
  }

  @Test
  void whoMeansAnotherDefinitionDeletesNothing() {
    String uid = Metadata.of(registry.get(definitions, NAME).tree()).uid();
    assertThat(refused(() -> delete(DeletionOptions.DEFAULT.only("other"))).message())
        .isEqualTo(
            "Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io"
                + " \"foos.example.com\": Precondition failed: UID in precondition: other, UID in"
                + " object meta: "
                + uid);
  }

  private JsonObject delete(DeletionOptions options) {
    registry.delete(definitions, NAME, options);
    return registry.get(definitions, NAME).tree();
  }
}
