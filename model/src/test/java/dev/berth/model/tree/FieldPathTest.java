package dev.berth.model.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  private final JsonObject pod =
      JsonReader.object(
          """
          {"metadata":{"labels":{"app.kubernetes.io/name":"web"}},
           "spec":{"containers":[{"name":"a"},{"name":"b","ports":[{"containerPort":80}]}]}}
          """
              .getBytes(UTF_8),
          JsonLimits.REQUEST);

  @ParameterizedTest
  @CsvSource({
    "spec.containers[1].name, b",
    "spec.containers[1].ports[0].containerPort, 80",
    "metadata.labels[app.kubernetes.io/name], web",
    "spec.containers[2].name,",
    "spec.containers.name,",
    "spec[0],",
    "status.phase,"
  })
  void readsWhatIsThereAndNothingWhereNothingIs(String path, String expected) {
    Object found = FieldPath.parse(path).get(pod);
    assertThat(found == null ? null : found.toString()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec",
        "spec.containers[1].ports[0].containerPort",
        "metadata.labels[app.kubernetes.io/name]",
        "metadata.annotations[a.b].c[3][4]",
        ""
      })
  void isWrittenAsItIsRead(String path) {
    assertThat(FieldPath.parse(path)).hasToString(path).isEqualTo(FieldPath.parse(path));
  }

  @Test
  void aKeyOfAMapIsWrittenInBracketsAndReadLikeAnyField() {
    FieldPath path = FieldPath.of("metadata", "labels").key("app");
    assertThat(path)
        .hasToString("metadata.labels[app]")
        .isEqualTo(FieldPath.parse(path.toString()));
    assertThat(path.get(path.set(pod, "web"))).isEqualTo("web");
  }

  @ParameterizedTest
  @ValueSource(strings = {".a", "a..b", "a.", "a[0", "a[x"})
  void malformedPathsAreRefused(String path) {
    assertThatThrownBy(() -> FieldPath.parse(path))
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("field path \"" + path + "\"");
  }

  @Test
  void aFieldWithAnOddNameIsAKey() {
    FieldPath field = FieldPath.of("labels", "a.b/c");
    FieldPath key = FieldPath.of("labels").key("a.b/c");
    assertThat(field).isEqualTo(key).hasSameHashCodeAs(key).hasToString("labels[a.b/c]");
    assertThat(FieldPath.of("a").field("b")).isNotEqualTo(FieldPath.of("a").key("b"));
  }

  @Test
  void settingMakesTheObjectsAndArraysOnTheWay() {
    Object changed = FieldPath.parse("status.conditions[0].type").set(pod, "Ready");
    assertThat(FieldPath.of("status").get(changed))
        .hasToString("{\"conditions\":[{\"type\":\"Ready\"}]}");
  }

  @Test
  void settingThroughSomethingElseSaysWhatIsThere() {
    assertThatThrownBy(() -> FieldPath.parse("spec.containers[0].name.x").set(pod, "y"))
        .hasMessage("spec.containers[0].name: expected an object, found a string");
    assertThatThrownBy(() -> FieldPath.parse("spec.containers[7]").set(pod, "y"))
        .hasMessageContaining("the array has 2 elements");
  }

  @Test
  void removingTakesOutOneFieldOrOneElement() {
    Object changed = FieldPath.parse("spec.containers[0]").remove(pod);
    changed = FieldPath.parse("metadata.labels").remove(changed);
    assertThat(changed)
        .hasToString(
            "{\"metadata\":{},\"spec\":{\"containers\":[{\"name\":\"b\",\"ports\":[{\"containerPort\":80}]}]}}");
  }
}
