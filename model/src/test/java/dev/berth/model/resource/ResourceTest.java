package dev.berth.model.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({"v1, '', v1", "apps/v1, apps, v1", "a.b.io/v1beta2, a.b.io, v1beta2"})
  void readsAndWritesAnApiVersion(String text, String group, String version) {
    GroupVersion parsed = GroupVersion.parse(text);
    assertThat(parsed).isEqualTo(new GroupVersion(group, version)).hasToString(text);
    assertThat(parsed.kind("Pod").apiVersion()).isEqualTo(text);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"", "/", "/v1", "apps/", "a/b/c", "//"})
  void refusesWhatIsNoApiVersion(String text) {
    assertThatThrownBy(() -> GroupVersion.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unexpected GroupVersion string: " + text);
  }

  @Test
  void writesTypesAsKubernetesDoes() {
    GroupVersion apps = GroupVersion.parse("apps/v1");
    assertThat(apps.kind("Deployment")).hasToString("apps/v1, Kind=Deployment");
    assertThat(apps.kind("Deployment").groupKind()).hasToString("Deployment.apps");
    assertThat(apps.kind("Deployment").groupKind().at("v1")).isEqualTo(apps.kind("Deployment"));
    assertThat(apps.resource("deployments")).hasToString("apps/v1, Resource=deployments");
    assertThat(apps.resource("deployments").groupResource()).hasToString("deployments.apps");
    assertThat(GroupVersion.CORE_V1.kind("Pod").groupKind()).hasToString("Pod");
    assertThat(GroupVersion.CORE_V1.resource("pods").groupResource()).hasToString("pods");
    assertThat(new GroupResource("apps", "deployments").at("v1").groupVersion()).isEqualTo(apps);
  }

  @Test
  void readsTheTypeOfAnObject() {
    JsonObject pod = JsonObject.of("apiVersion", "v1").with("kind", "Pod");
    assertThat(GroupVersionKind.of(pod)).isEqualTo(new GroupVersionKind("", "v1", "Pod"));
    assertThatThrownBy(() -> GroupVersionKind.of(JsonObject.of("apiVersion", "v1")))
        .hasMessage("Object 'Kind' is missing in the object");
    assertThatThrownBy(() -> GroupVersionKind.of(JsonObject.of("kind", "Pod")))
        .hasMessage("unexpected GroupVersion string: ");
  }

  @Test
  void namesObjectsInAndOutOfNamespaces() {
    JsonObject metadata = JsonObject.of("name", "web").with("namespace", "shop");
    ObjectName name = ObjectName.of(JsonObject.of("metadata", metadata));
    assertThat(name).isEqualTo(new ObjectName("shop", "web")).hasToString("shop/web");
    assertThat(ObjectName.parse("shop/web")).isEqualTo(name);
    assertThat(ObjectName.parse("n1")).isEqualTo(ObjectName.of("n1")).hasToString("n1");
    assertThat(Stream.of("b/a", "a/b", "n1", "a/a").map(ObjectName::parse).sorted())
        .extracting(ObjectName::toString)
        .containsExactly("n1", "a/a", "a/b", "b/a");
  }

  @Test
  void wordsFieldErrorsAsKubernetesDoes() {
    assertThat(FieldError.required("spec.x", "must be set"))
        .hasToString("spec.x: Required value: must be set");
    assertThat(FieldError.required("spec.x", "")).hasToString("spec.x: Required value");
    assertThat(FieldError.invalid("spec.x", -1L, "must be positive"))
        .hasToString("spec.x: Invalid value: -1: must be positive");
    assertThat(FieldError.invalid("x", JsonArray.of("a"), "bad"))
        .hasToString("x: Invalid value: [\"a\"]: bad");
    assertThat(FieldError.forbidden("x", "may not change"))
        .hasToString("x: Forbidden: may not change");
    assertThat(FieldError.duplicate("x[1]", "a")).hasToString("x[1]: Duplicate value: \"a\"");
    FieldError unsupported = FieldError.notSupported("x", "c", List.of("a", "b"));
    assertThat(unsupported)
        .hasToString("x: Unsupported value: \"c\": supported values: \"a\", \"b\"");
    assertThat(unsupported.reason().cause()).isEqualTo("FieldValueNotSupported");
    assertThat(FieldError.join(List.of(unsupported))).isEqualTo(unsupported.toString());
    assertThat(
            FieldError.join(List.of(FieldError.duplicate("x", 1L), FieldError.forbidden("y", ""))))
        .isEqualTo("[x: Duplicate value: 1, y: Forbidden]");
  }
}
