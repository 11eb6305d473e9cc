package dev.berth.model.meta;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {

  @ParameterizedTest
  @CsvSource({"9, 10, true", "10, 9, false", "7, 7, false", "a, 9, false", "'', 9, false"})
  void statesOfAnObjectAreOrderedByTheirRevisions(String one, String other, boolean isBefore) {
    assertThat(revision(one).isBefore(revision(other))).isEqualTo(isBefore);
  }

  private static Metadata revision(String revision) {
    return new Metadata(JsonObject.of("resourceVersion", revision));
  }

  @Test
  void readsWhatIsThere() {
    Metadata metadata =
        Metadata.of(
            tree(
                """
                {"metadata": {
                  "name": "web-1", "generateName": "web-", "namespace": "shop", "uid": "u1",
                  "resourceVersion": "17", "generation": 3,
                  "labels": {"app": "web"}, "annotations": {"a": "b"},
                  "finalizers": ["x/y"],
                  "ownerReferences": [
                    {"apiVersion": "v1", "kind": "Other", "name": "o", "uid": "u8"},
                    {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u9",
                     "controller": true, "blockOwnerDeletion": true}],
                  "creationTimestamp": "2026-01-01T00:00:00Z",
                  "deletionTimestamp": "2026-01-02T00:00:30Z",
                  "deletionGracePeriodSeconds": 30}}
                """));
    assertThat(metadata.name()).isEqualTo("web-1");
    assertThat(metadata.generateName()).isEqualTo("web-");
    assertThat(metadata.namespace()).isEqualTo("shop");
    assertThat(metadata.uid()).isEqualTo("u1");
    assertThat(metadata.resourceVersion()).isEqualTo("17");
    assertThat(metadata.generation()).isEqualTo(3);
    assertThat(metadata.label("app")).contains("web");
    assertThat(metadata.label("none")).isEmpty();
    assertThat(metadata.annotation("a")).contains("b");
    assertThat(metadata.finalizers()).containsExactly("x/y");
    assertThat(metadata.ownerReferences()).hasSize(2);
    assertThat(metadata.controller())
        .contains(new OwnerReference("apps/v1", "ReplicaSet", "web", "u9", true, true));
    assertThat(metadata.isControlledBy("u9")).isTrue();
    assertThat(metadata.isControlledBy("u8")).isFalse();
    assertThat(metadata.creationTimestamp()).contains(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(metadata.deletionTimestamp()).contains(Instant.parse("2026-01-02T00:00:30Z"));
    assertThat(metadata.isBeingDeleted()).isTrue();
    assertThat(metadata.deletionGracePeriodSeconds()).hasValue(30);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{}",
        "{\"metadata\": null}",
        "{\"metadata\": {}}",
        "{\"metadata\": {\"labels\": null, \"creationTimestamp\": null, \"ownerReferences\": []}}",
      })
  void findsNothingWhereThereIsNothing(String json) {
    Metadata metadata = Metadata.of(tree(json));
    assertThat(metadata.name()).isEmpty();
    assertThat(metadata.namespace()).isEmpty();
    assertThat(metadata.generation()).isZero();
    assertThat(metadata.labels()).isEqualTo(JsonObject.EMPTY);
    assertThat(metadata.annotations()).isEqualTo(JsonObject.EMPTY);
    assertThat(metadata.finalizers()).isEmpty();
    assertThat(metadata.ownerReferences()).isEmpty();
    assertThat(metadata.controller()).isEmpty();
    assertThat(metadata.creationTimestamp()).isEmpty();
    assertThat(metadata.isBeingDeleted()).isFalse();
    assertThat(metadata.deletionGracePeriodSeconds()).isEmpty();
  }

  @Test
  void failsOnTheWrongShape() {
    Metadata metadata = Metadata.of(tree("{\"metadata\": {\"labels\": [], \"name\": 1}}"));
    assertThatThrownBy(metadata::labels).isInstanceOf(JsonException.class);
    assertThatThrownBy(metadata::name).isInstanceOf(JsonException.class);
  }

  @Test
  void changesMetadataAndLeavesTheRest() {
    JsonObject object = tree("{\"metadata\": {\"name\": \"a\"}, \"spec\": {}}");
    assertThat(Metadata.update(object, metadata -> metadata.with("uid", "u1")))
        .hasToString("{\"metadata\":{\"name\":\"a\",\"uid\":\"u1\"},\"spec\":{}}");
    assertThat(Metadata.update(object, metadata -> metadata)).isSameAs(object);
  }

  @Test
  void makesTheReferenceOfAController() {
    JsonObject owner =
        tree(
            """
            {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "d", "uid": "u"}}
            """);
    OwnerReference reference = OwnerReference.controllerOf(owner);
    assertThat(reference.toTree())
        .hasToString(
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"DaemonSet\",\"name\":\"d\",\"uid\":\"u\","
                + "\"controller\":true,\"blockOwnerDeletion\":true}");
    assertThat(OwnerReference.fromTree(reference.toTree())).isEqualTo(reference);
    OwnerReference plain = new OwnerReference("v1", "Node", "n", "u", false, false);
    assertThat(plain.toTree().names()).containsExactly("apiVersion", "kind", "name", "uid");
  }

  @Test
  void knowsOnlyKeysThatAreAllowed() throws IllegalAccessException {
    List<String> keys = new ArrayList<>();
    for (Class<?> type : List.of(WellKnownLabels.class, WellKnownAnnotations.class)) {
      List<String> own = new ArrayList<>();
      for (Field field : type.getFields()) {
        assertThat(Modifier.isStatic(field.getModifiers())).isTrue();
        own.add((String) field.get(null));
      }
      assertThat(own).doesNotHaveDuplicates();
      keys.addAll(own);
    }
    assertThat(keys)
        .hasSizeGreaterThan(50)
        .allSatisfy(key -> {
          String complete = key.endsWith("/") ? key + "x" : key;
          assertThat(NameRules.qualifiedName(complete)).as(key).isEmpty();
        });
  }

  @Test
  void annotationsComeAndGo() {
    JsonObject bare = tree("{'metadata':{'name':'a'}}");
    JsonObject annotated = Metadata.annotate(bare, "k", "v");
    assertThat(Metadata.of(annotated).annotation("k")).contains("v");
    assertThat(Metadata.of(annotated).name()).isEqualTo("a");
    assertThat(Metadata.annotate(annotated, "k", "v")).isSameAs(annotated);
    assertThat(Metadata.of(Metadata.withoutAnnotation(annotated, "k")).annotations().isEmpty())
        .isTrue();
    assertThat(Metadata.withoutAnnotation(bare, "k")).isSameAs(bare);
  }

  @Test
  void finalizersComeAndGo() {
    JsonObject bare = tree("{'metadata':{'name':'a'}}");
    JsonObject held = Metadata.withFinalizer(Metadata.withFinalizer(bare, "x"), "y");
    assertThat(Metadata.of(held).finalizers()).containsExactly("x", "y");
    assertThat(Metadata.withFinalizer(held, "x")).isSameAs(held);
    assertThat(Metadata.of(Metadata.withoutFinalizer(held, "x")).finalizers()).containsExactly("y");
    assertThat(Metadata.withoutFinalizer(Metadata.withoutFinalizer(held, "x"), "y"))
        .isEqualTo(bare);
    assertThat(Metadata.withoutFinalizer(held, "z")).isSameAs(held);
  }
}
