package dev.berth.customresources.schema;

import static dev.berth.customresources.fixture.Documents.object;
import static dev.berth.customresources.fixture.Documents.schema;
import static dev.berth.customresources.fixture.Documents.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of an object by its schema: pruning, defaults, nulls, numbers, lists. */
class ShapingTest {
  private static final StructuralSchema SCHEMA =
      schema(
          """
          type: object
          properties:
            spec:
              type: object
              properties:
                known: {type: string}
                list: {type: array, items: {type: object, properties: {x: {type: integer}}}}
                map: {type: object, additionalProperties: {type: object, properties: {x: {type: integer}}}}
                open:
                  type: object
                  x-kubernetes-preserve-unknown-fields: true
                  properties: {closed: {type: object, properties: {x: {type: integer}}}}
                template:
                  type: object
                  x-kubernetes-embedded-resource: true
                  x-kubernetes-preserve-unknown-fields: true
          """);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{spec: {known: a}}                        | {spec: {known: a}}            | []",
        "{spec: {other: a}, more: 1}               | {spec: {}}                    | [more, spec.other]",
        "{spec: {list: [{x: 1}, {x: 2, w: 3}]}}    | {spec: {list: [{x: 1}, {x: 2}]}} | [spec.list[1].w]",
        "{spec: {map: {a.b: {x: 1, w: 2}}}}        | {spec: {map: {a.b: {x: 1}}}}  | [spec.map.a.b.w]",
        "{spec: {open: {any: {a: 1}}}}             | {spec: {open: {any: {a: 1}}}} | []",
        "{spec: {open: {closed: {x: 1, w: 2}}}}    | {spec: {open: {closed: {x: 1}}}} | [spec.open.closed.w]",
        "{kind: K, apiVersion: v, metadata: {a: 1}} | {kind: K, apiVersion: v, metadata: {a: 1}} | []",
      })
  void prunesWhatTheSchemaDoesNotKnow(String given, String left, String unknown) {
    Pruning.Pruned pruned = Pruning.object(object(given), SCHEMA);
    assertThat(pruned.value()).isEqualTo(object(left));
    assertThat(pruned.unknown()).hasToString(unknown);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                          | {}",
        "{spec: {}}                  | {spec: {a: 1, o: {x: 2}}}",
        "{spec: {a: 5}}              | {spec: {a: 5, o: {x: 2}}}",
        "{spec: {a: null}}           | {spec: {a: 1, o: {x: 2}}}",
        "{spec: {maybe: null}}       | {spec: {a: 1, maybe: null, o: {x: 2}}}",
        "{spec: {o: {}}}             | {spec: {a: 1, o: {x: 2}}}",
        "{spec: {l: [{}, {x: 7}]}}   | {spec: {a: 1, l: [{x: 3}, {x: 7}], o: {x: 2}}}",
        "{spec: {m: {k: {}}}}        | {spec: {a: 1, m: {k: {x: 4}}, o: {x: 2}}}",
      })
  void fillsInDefaults(String given, String filled) {
    StructuralSchema schema =
        schema(
            """
            type: object
            properties:
              spec:
                type: object
                properties:
                  a: {type: integer, default: 1}
                  maybe: {type: integer, nullable: true, default: 1}
                  o: {type: object, default: {}, properties: {x: {type: integer, default: 2}}}
                  l: {type: array, items: {type: object, properties: {x: {type: integer, default: 3}}}}
                  m: {type: object, additionalProperties: {type: object, properties: {x: {type: integer, default: 4}}}}
            """);
    JsonObject once = Defaulting.fill(object(given), schema);
    assertThat(once.object("spec").without("maybe"))
        .isEqualTo(object(filled).object("spec").without("maybe"));
    assertThat(Defaulting.fill(once, schema)).isSameAs(once);
  }

  @Test
  void dropsNullsThatMayNotBe() {
    StructuralSchema schema =
        schema(
            "{type: object, properties: {a: {type: string}, b: {type: string, nullable: true},"
                + " c: {type: string, default: x}}}");
    assertThat(Defaulting.withoutNulls(object("{a: null, b: null, c: null, d: null}"), schema))
        .isEqualTo(object("{b: null, c: null, d: null}"));
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1", "1.50, 1.5", "1e3, 1000", "1e-7, 1e-07", "2.5e25, 2.5e+25", "-0.0, 0"})
  void writesNumbersAsKubernetesDoes(String given, String written) {
    assertThat(GoNumbers.canonical(value("{a: [" + given + "]}")))
        .hasToString("{\"a\":[" + written + "]}");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{set: [a, b]}                              | []",
        "{set: [a, b, a, a]}                        | [set[2]: Duplicate value: \"a\"]",
        "{map: [{k: a}, {k: b}]}                    | []",
        "{map: [{k: a, x: 1}, {k: a, x: 2}]}        | [map[1]: Duplicate value: {\"k\":\"a\"}]",
        "{map: [{x: 1}, {x: 2}]}                    | [map[1]: Duplicate value: {}]",
        "{map: [5]}                                 | [map[0]: Invalid value: 5: must be an object for an array of list-type map]",
      })
  void listsThatAreSetsOrMapsHaveNothingTwice(String given, String errors) {
    StructuralSchema schema =
        schema(
            """
            type: object
            properties:
              set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              map:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, properties: {k: {type: string}, x: {type: integer}}}
            """);
    assertThat(ListTypes.validate(object(given), schema)).hasToString(errors);
  }

  @Test
  void embeddedObjectsHaveKindsAndValidMetadata() {
    JsonObject object =
        object("{spec: {template: {apiVersion: v1, metadata: {labels: {a: 'b c'}, odd: 1}}}}");
    Pruning.Pruned coerced = EmbeddedMetadata.coerce(object, SCHEMA, false);
    assertThat(coerced.unknown()).containsExactly("spec.template.metadata.odd");
    assertThat(
            EmbeddedMetadata.validate((JsonObject) coerced.value(), SCHEMA, false, FieldPath.ROOT))
        .extracting(FieldError::field)
        .containsExactly("spec.template.kind", "spec.template.metadata.labels");
  }
}
