package dev.berth.kinds.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonException;
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
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a whole number may have a fraction | Pod|{"spec":{"priority":1000.0}}|{"spec":{"priority":1000}}
          one that is too large is cut       | Pod|{"spec":{"priority":4294967297}}|{"spec":{"priority":1}}
          and may change its sign            | Pod|{"spec":{"priority":2147483648}}|{"spec":{"priority":-2147483648}}
          a long one stays                   | Pod|{"spec":{"activeDeadlineSeconds":4294967297}}|{"spec":{"activeDeadlineSeconds":4294967297}}
          """)
  void numbersOfAConfigurationAreConverted(String rule, String kind, String sent, String kept) {
    GroupVersionKind type = new GroupVersionKind("", "v1", kind);
    assertThat(Conforming.shapeMerged(tree(sent), JsonObject.EMPTY, type, Schemas.builtIn()))
        .as(rule)
        .isEqualTo(tree(kept));
  }

  /** As Kubernetes says it of what is applied, where words are the only hint to the field. */
  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Pod|{"spec":{"priority":0.5}}|cannot convert float64 to int32
          Pod|{"spec":{"activeDeadlineSeconds":0.5}}|cannot convert float64 to int64
          Pod|{"status":{"startTime":"x"}}|parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"
          Pod|{"status":{"startTime":""}}|parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"
          Pod|{"status":{"startTime":"2026-13-01T00:00:00Z"}}|parsing time "2026-13-01T00:00:00Z": month out of range
          Pod|{"status":{"startTime":"2026-02-30T00:00:00Z"}}|parsing time "2026-02-30T00:00:00Z": day out of range
          Pod|{"status":{"startTime":"2026-01-01T00:00:00Zx"}}|parsing time "2026-01-01T00:00:00Zx": extra text: "x"
          Pod|{"status":{"startTime":"2026-01-01 00:00"}}|parsing time "2026-01-01 00:00" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00" as "T"
          Pod|{"status":{"startTime":5}}|json: cannot unmarshal number into Go value of type string
          Event|{"eventTime":"2026-01-01T00:00:00Z"}|parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"
          Event|{"eventTime":true}|json: cannot unmarshal bool into Go value of type string
          ResourceQuota|{"spec":{"hard":{"pods":true}}}|quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          ConfigMap|{"binaryData":{"a":"x"}}|error decoding from json: illegal base64 data at input byte 0
          ConfigMap|{"binaryData":{"a":"Never"}}|error decoding from json: illegal base64 data at input byte 4
          ConfigMap|{"binaryData":{"a":"A_b="}}|error decoding from json: illegal base64 data at input byte 1
          ConfigMap|{"binaryData":{"a":"AA="}}|error decoding from json: illegal base64 data at input byte 3
          Service|{"spec":{"ports":[{"targetPort":0.5}]}}|json: cannot unmarshal number 0.5 into Go value of type int32
          Service|{"spec":{"ports":[{"targetPort":2147483648}]}}|json: cannot unmarshal number 2147483648 into Go value of type int32
          Service|{"spec":{"ports":[{"targetPort":true}]}}|json: cannot unmarshal bool into Go value of type int32
          """)
  void whatCannotBeConvertedIsRefusedInKubernetesWords(String kind, String sent, String why) {
    GroupVersionKind type = new GroupVersionKind("", "v1", kind);
    assertThatThrownBy(
            () -> Conforming.shapeMerged(tree(sent), JsonObject.EMPTY, type, Schemas.builtIn()))
        .isInstanceOf(JsonException.class)
        .message()
        .endsWith(": " + why);
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
