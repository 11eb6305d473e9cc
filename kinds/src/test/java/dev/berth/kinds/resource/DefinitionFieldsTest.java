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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of CustomResourceDefinitions that have several types, or none that a schema tells. */
class DefinitionFieldsTest {
  private static final GroupVersionKind DEFINITION =
      new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");

  private static final String IN_SCHEMA =
      "{\"spec\":{\"versions\":[{\"schema\":{\"openAPIV3Schema\":%s}}]}}";
  private static final String IN_SUBRESOURCES = "{\"spec\":{\"versions\":[{\"subresources\":%s}]}}";

  private static JsonObject tree(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static Conforming.Result shape(String sent) {
    return Conforming.shape(tree(sent), JsonObject.EMPTY, DEFINITION, Schemas.builtIn());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a schema of items                     | {"items":{"type":"string"}}                  | {"items":{"type":"string"}}
          without what a schema does not have   | {"items":{"type":"string","x":1}}            | {"items":{"type":"string"}}
          and without zeros                     | {"items":{"title":"","nullable":false}}      | {"items":{}}
          at any depth                          | {"items":{"not":{"items":{"title":""}}}}     | {"items":{"not":{"items":{}}}}
          schemas of items                      | {"items":[{"type":"string","x":1},null]}     | {"items":[{"type":"string"},{}]}
          no schemas                            | {"items":[]}                                 | {}
          items that are nothing                | {"items":5}                                  | {}
          or null                               | {"items":null}                               | {}
          additional properties of any kind     | {"additionalProperties":true}                | {"additionalProperties":true}
          or none                               | {"additionalProperties":false}               | {"additionalProperties":false}
          or of a schema                        | {"additionalProperties":{"title":"","x":1}}  | {"additionalProperties":{}}
          additional items that are null        | {"additionalItems":null}                     | {}
          a dependency that is a schema         | {"dependencies":{"a":{"title":"","x":1}}}    | {"dependencies":{"a":{}}}
          one that names others                 | {"dependencies":{"a":["b",null]}}            | {"dependencies":{"a":["b",""]}}
          one that is nothing                   | {"dependencies":{"a":5,"b":[]}}              | {"dependencies":{"a":null,"b":null}}
          """)
  void schemasHaveFieldsOfSeveralTypes(String rule, String sent, String shaped) {
    Conforming.Result result = shape(IN_SCHEMA.formatted(sent));
    assertThat(result.object()).as(rule).isEqualTo(tree(IN_SCHEMA.formatted(shaped)));
    assertThat(result.unknownFields()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"items":{"type":5}}               | items.type: expected a string, found a number
          {"items":["a"]}                    | items[0]: expected an object, found a string
          {"additionalProperties":"x"}       | additionalProperties: expected a boolean or a schema, found a string
          {"additionalItems":[]}             | additionalItems: expected a boolean or a schema, found an array
          {"additionalItems":{"minimum":""}} | additionalItems.minimum: expected a number, found a string
          {"dependencies":[]}                | dependencies: expected an object, found an array
          {"dependencies":{"a":[5]}}         | dependencies[a][0]: expected a string, found a number
          """)
  void whatIsBelowThemMustHaveItsType(String sent, String why) {
    assertThatThrownBy(() -> shape(IN_SCHEMA.formatted(sent)))
        .isInstanceOf(JsonException.class)
        .hasMessage("spec.versions[0].schema.openAPIV3Schema." + why);
  }

  /** Of what is applied, in Kubernetes' words. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"items":["a"]}              | items[0]: json: cannot unmarshal string into Go value of type v1.JSONSchemaProps
          {"additionalProperties":"x"} | additionalProperties: boolean or JSON schema expected
          {"additionalItems":[]}       | additionalItems: boolean or JSON schema expected
          """)
  void whatIsAppliedIsRefusedInKubernetesWords(String sent, String why) {
    assertThatThrownBy(() ->
            Conforming.shapeMerged(
                tree(IN_SCHEMA.formatted(sent)), JsonObject.EMPTY, DEFINITION, Schemas.builtIn()))
        .isInstanceOf(JsonException.class)
        .hasMessage("spec.versions[0].schema.openAPIV3Schema." + why);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          enabled                   | {"status":{}}      | {"status":{}} |
          with what it has not      | {"status":{"a":1}} | {"status":{}} | spec.versions[0].subresources.status.a
          null is left out          | {"status":null}    | {}            |
          """)
  void theStatusSubresourceHasNoFields(
      String rule, String sent, String shaped, String unknownField) {
    Conforming.Result result = shape(IN_SUBRESOURCES.formatted(sent));
    assertThat(result.object()).as(rule).isEqualTo(tree(IN_SUBRESOURCES.formatted(shaped)));
    assertThat(String.join(",", result.unknownFields()))
        .isEqualTo(unknownField == null ? "" : unknownField);
  }

  @ParameterizedTest
  @CsvSource({"0,a number", "true,a boolean", "'\"x\"',a string", "[],an array"})
  void theStatusSubresourceIsAnObject(String sent, String found) {
    assertThatThrownBy(() -> shape(IN_SUBRESOURCES.formatted("{\"status\":" + sent + "}")))
        .hasMessage("spec.versions[0].subresources.status: expected an object, found %s", found);
  }
}
