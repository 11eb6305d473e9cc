package dev.berth.serving.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents are whole: every kind is in them, and every reference leads somewhere. */
class DocumentsTest {
  private static final Catalog CATALOG = BuiltIns.catalog();
  private static final Documents DOCUMENTS = new Documents(CATALOG);
  private static final JsonObject SWAGGER = DOCUMENTS.v2();

  static Stream<GroupVersion> versions() {
    return CATALOG.versions().stream();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyServedKindHasASchemaAndEveryReferenceLeadsToOne(GroupVersion version) {
    JsonObject document = DOCUMENTS.v3(version);
    JsonObject schemas = document.object("components").object("schemas");
    for (Resource resource : CATALOG.resources(version)) {
      assertThat(kinds(schemas)).contains(Operations.kind(resource.kind()));
    }
    assertThat(references(document))
        .isNotEmpty()
        .allSatisfy(ref -> {
          assertThat(ref).startsWith("#/components/schemas/");
          assertThat(schemas.has(ref.substring("#/components/schemas/".length()))).isTrue();
        });
  }

  @Test
  void swaggerHoldsEveryServedKindAndEveryReferenceLeadsToADefinition() {
    JsonObject definitions = SWAGGER.object("definitions");
    List<Resource> all =
        CATALOG.versions().stream().map(CATALOG::resources).flatMap(Collection::stream).toList();
    assertThat(kinds(definitions))
        .containsAll(all.stream().map(resource -> Operations.kind(resource.kind())).toList());
    assertThat(references(SWAGGER))
        .isNotEmpty()
        .allSatisfy(
            ref -> assertThat(definitions.has(ref.substring("#/definitions/".length()))).isTrue());
  }

  @Test
  void everyOperationHasANameOfItsOwn() {
    List<String> names = new ArrayList<>();
    SWAGGER
        .object("paths")
        .forEach((_, item) ->
            ((JsonObject) item)
                .forEach((_, operation) -> {
                  if (operation instanceof JsonObject o) {
                    names.add(o.text("operationId", ""));
                  }
                }));
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains(
            "listCoreV1NamespacedPod",
            "listCoreV1PodForAllNamespaces",
            "replaceCoreV1NodeStatus",
            "deleteAppsV1CollectionNamespacedDeployment",
            "readRbacAuthorizationV1ClusterRole");
  }

  @Test
  void writesSayThatTheyKnowDryRunAndFieldValidation() {
    JsonObject pod =
        DOCUMENTS
            .v3(new GroupVersion("", "v1"))
            .object("paths")
            .object("/api/v1/namespaces/{namespace}/pods/{name}");
    for (String method : List.of("put", "patch")) {
      assertThat(pod.object(method).array("parameters").objects())
          .extracting(parameter -> parameter.text("name"))
          .contains("dryRun", "fieldValidation", "fieldManager");
    }
    assertThat(pod.object("patch").object("x-kubernetes-group-version-kind").text("kind"))
        .isEqualTo("Pod");
  }

  @Test
  void fieldsSayHowTheyMergeWhatTheyMayHoldAndWhatTheyAreFor() {
    JsonObject schemas =
        DOCUMENTS.v3(new GroupVersion("", "v1")).object("components").object("schemas");
    JsonObject containers =
        schemas.object("io.k8s.api.core.v1.PodSpec").object("properties").object("containers");
    assertThat(containers.text("x-kubernetes-patch-merge-key")).isEqualTo("name");
    assertThat(containers.text("x-kubernetes-patch-strategy")).isEqualTo("merge");
    assertThat(containers.text("x-kubernetes-list-type")).isEqualTo("map");
    assertThat(containers.array("x-kubernetes-list-map-keys")).isEqualTo(JsonArray.of("name"));
    assertThat(containers.text("description")).startsWith("List of containers");
    JsonObject volumes =
        schemas.object("io.k8s.api.core.v1.PodSpec").object("properties").object("volumes");
    assertThat(volumes.text("x-kubernetes-patch-strategy")).isEqualTo("merge,retainKeys");
    JsonObject effect =
        schemas.object("io.k8s.api.core.v1.Toleration").object("properties").object("effect");
    assertThat(effect.array("enum"))
        .isEqualTo(JsonArray.of("NoExecute", "NoSchedule", "PreferNoSchedule"));
  }

  @Test
  void everyEnumerationIsOfAFieldThatExists() {
    Schemas schemas = Schemas.builtIn();
    assertThat(Enums.read().rows())
        .isNotEmpty()
        .allSatisfy(row ->
            assertThat(schemas.type(row[0]).flatMap(type -> type.field(row[1])))
                .as(String.join(" ", row))
                .isPresent());
  }

  private static List<Object> kinds(JsonObject schemas) {
    List<Object> kinds = new ArrayList<>();
    schemas.forEach((_, schema) ->
        kinds.addAll(((JsonObject) schema).array("x-kubernetes-group-version-kind").values()));
    return kinds;
  }

  private static List<String> references(Object tree) {
    List<String> found = new ArrayList<>();
    collect(tree, found);
    return found;
  }

  private static void collect(Object tree, List<String> found) {
    switch (tree) {
      case JsonObject object ->
          object.forEach((name, value) -> {
            if (name.equals("$ref") && value instanceof String text) {
              found.add(text);
            }
            collect(value, found);
          });
      case JsonArray array -> array.values().forEach(value -> collect(value, found));
      default -> {}
    }
  }
}
