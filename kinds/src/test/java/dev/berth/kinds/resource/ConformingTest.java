package dev.berth.kinds.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of an object when it has the shape of a pod. */
class ConformingTest {
  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");

  private static JsonObject tree(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          an empty map is left out             | {"metadata":{"annotations":{}}}      | {"metadata":{}}
          an empty list is left out            | {"spec":{"tolerations":[]}}          | {"spec":{}}
          even if it is required               | {"spec":{"containers":[]}}           | {"spec":{}}
          a zero is left out                   | {"spec":{"nodeName":"","hostIPC":false}} | {"spec":{}}
          unless it is a value of its own      | {"spec":{"priority":0}}              | {"spec":{"priority":0}}
          or always there                      | {"spec":{"containers":[{"name":""}]}} | {"spec":{"containers":[{"name":""}]}}
          null in a list is the zero of it     | {"spec":{"containers":[null]}}       | {"spec":{"containers":[{}]}}
          null in a map is the zero of it      | {"metadata":{"labels":{"a":null}}}   | {"metadata":{"labels":{"a":""}}}
          an object of fields stays            | {"spec":{"securityContext":{}}}      | {"spec":{"securityContext":{}}}
          a map with an empty value stays      | {"metadata":{"labels":{"a":""}}}     | {"metadata":{"labels":{"a":""}}}
          managed fields are cleared on demand | {"metadata":{"managedFields":[]}}    | {"metadata":{"managedFields":[]}}
          a null is left out                   | {"spec":{"nodeName":null}}           | {"spec":{}}
          """)
  void saysNothingWhereNothingWasSaid(String rule, String sent, String shaped) {
    assertThat(Conforming.shape(tree(sent), JsonObject.EMPTY, POD, Schemas.builtIn()).object())
        .as(rule)
        .isEqualTo(tree(shaped));
  }

  @Test
  void whoAppliesAnEmptyListWantsItEmpty() {
    JsonObject sent = tree("{\"spec\":{\"tolerations\":[]}}");
    assertThat(Conforming.shapeApplied(sent, POD, Schemas.builtIn()).object()).isEqualTo(sent);
  }

  @ParameterizedTest
  @CsvSource({"AAAA,AAAA", "'AA\nAA',AAAA", "AA==,AA=="})
  void bytesAreBase64(String sent, String shaped) {
    assertThat(secret(sent).object("data").text("a", "")).isEqualTo(shaped);
  }

  @ParameterizedTest
  @ValueSource(strings = {"AAA", "é", "A=AA"})
  void bytesThatAreNoBase64AreRefused(String sent) {
    assertThatThrownBy(() -> secret(sent)).hasMessage("data[a]: illegal base64 data");
  }

  private static JsonObject secret(String bytes) {
    GroupVersionKind kind = new GroupVersionKind("", "v1", "Secret");
    JsonObject sent = JsonObject.of("data", JsonObject.of("a", bytes));
    return Conforming.shape(sent, JsonObject.EMPTY, kind, Schemas.builtIn()).object();
  }

  @Test
  void tellsOfTheFirstOfVeryManyUnknownFields() {
    JsonObject.Builder sent = new JsonObject.Builder();
    for (int i = 0; i < 40_000; i++) {
      sent.put("unknown" + i, 1L);
    }
    Conforming.Result result =
        Conforming.shape(sent.build(), JsonObject.EMPTY, POD, Schemas.builtIn());
    assertThat(result.object().isEmpty()).isTrue();
    assertThat(result.unknownFields()).hasSize(100).startsWith("unknown0", "unknown1");
  }
}
