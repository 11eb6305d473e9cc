package dev.berth.customresources.schema;

import static dev.berth.customresources.fixture.Documents.object;
import static dev.berth.customresources.fixture.Documents.schema;
import static dev.berth.customresources.fixture.Documents.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.FieldError.Reason;
import dev.berth.model.schema.StructuralSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values and schemas, and what upstream's validator says of them, word by word. */
class ValueValidatorTest {

  /** Each row: the schema of the field a, its value, and the error; none if it is right. */
  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "right",
      value = {
        // types
        "{type: string}                  | x      | right",
        "{type: string}                  | 5      | a: Invalid value: \"integer\": a in body must be of type string: \"integer\"",
        "{type: integer}                 | x      | a: Invalid value: \"string\": a in body must be of type integer: \"string\"",
        "{type: integer}                 | 1.5    | a: Invalid value: \"number\": a in body must be of type integer: \"number\"; <nil>: Invalid value: \"\": Checked value must be of type integer (default format) in a",
        "{type: number}                  | 5      | right",
        "{type: boolean}                 | 'true' | a: Invalid value: \"string\": a in body must be of type boolean: \"string\"",
        "{type: array, items: {type: string}} | {} | a: Invalid value: \"object\": a in body must be of type array: \"object\"",
        "{type: object}                  | []     | a: Invalid value: \"array\": a in body must be of type object: \"array\"",
        "{type: string}                  | null   | a: Invalid value: \"null\": a in body must be of type string: \"null\"",
        "{type: string, nullable: true}  | null   | right",
        "{x-kubernetes-int-or-string: true} | 5   | right",
        "{x-kubernetes-int-or-string: true} | 5%  | right",
        "{x-kubernetes-int-or-string: true} | true | a: Invalid value: \"boolean\": a in body must be of type integer,string: \"boolean\"",
        // texts
        "{type: string, maxLength: 2}    | äöü    | a: Too long: may not be more than 2 bytes",
        "{type: string, minLength: 2}    | x      | a: Invalid value: \"x\": a in body should be at least 2 chars long",
        "{type: string, pattern: '^a+$'} | aab    | a: Invalid value: \"aab\": a in body should match '^a+$'",
        "{type: string, pattern: '(a+)+$'} | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | a: Invalid value: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\": a in body should match '(a+)+$'",
        "{type: string, enum: [x, w]}    | z      | a: Unsupported value: \"z\": supported values: \"x\", \"w\"",
        "{type: integer, enum: [1, 2]}   | 3      | a: Unsupported value: 3: supported values: \"1\", \"2\"",
        // numbers
        "{type: integer, minimum: 1}     | 0      | a: Invalid value: 0: a in body should be greater than or equal to 1",
        "{type: integer, minimum: 1, exclusiveMinimum: true} | 1 | a: Invalid value: 1: a in body should be greater than 1",
        "{type: integer, maximum: 9}     | 10     | a: Invalid value: 10: a in body should be less than or equal to 9",
        "{type: number, maximum: 1.5, exclusiveMaximum: true} | 1.5 | a: Invalid value: 1.5: a in body should be less than 1.5",
        "{type: integer, multipleOf: 5}  | 7      | a: Invalid value: 7: a in body should be a multiple of 5",
        "{type: integer, format: int32}  | 3000000000 | <nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in a",
        // lists and maps
        "{type: array, items: {type: integer}} | [1, x] | a[1]: Invalid value: \"string\": a[1] in body must be of type integer: \"string\"",
        "{type: array, maxItems: 1, items: {type: integer}} | [1, 2] | a: Too many: 2: must have at most 1 item",
        "{type: array, minItems: 1, items: {type: integer}} | [] | a: Invalid value: 0: a in body should have at least 1 items",
        "{type: object, maxProperties: 1, additionalProperties: {type: string}} | {x: w, z: w} | a: Too many: 2: must have at most 1 item",
        "{type: object, minProperties: 1, additionalProperties: {type: string}} | {} | a: Invalid value: 0: a in body should have at least 1 properties",
        "{type: object, additionalProperties: {type: string}} | {x.y/z: 1} | a.x.y/z: Invalid value: \"integer\": a.x.y/z in body must be of type string: \"integer\"",
        "{type: object, required: [b], properties: {b: {type: string}}} | {} | a.b: Required value",
        // formats
        "{type: string, format: date}      | 2026-02-30 | a: Invalid value: \"2026-02-30\": a in body must be of type date: \"2026-02-30\"",
        "{type: string, format: date-time} | 2026-02-03T04:05:06Z | right",
        "{type: string, format: date-time} | yesterday | a: Invalid value: \"yesterday\": a in body must be of type date-time: \"yesterday\"",
        "{type: string, format: ipv4}      | 10.0.0.256 | a: Invalid value: \"10.0.0.256\": a in body must be of type ipv4: \"10.0.0.256\"",
        "{type: string, format: ipv6}      | fe80::1 | right",
        "{type: string, format: cidr}      | 10.0.0.0/33 | a: Invalid value: \"10.0.0.0/33\": a in body must be of type cidr: \"10.0.0.0/33\"",
        "{type: string, format: uuid}      | 0d5a5a1e-0000-4000-8000-00000000000g | a: Invalid value: \"0d5a5a1e-0000-4000-8000-00000000000g\": a in body must be of type uuid: \"0d5a5a1e-0000-4000-8000-00000000000g\"",
        "{type: string, format: duration}  | 1h30m | right",
        "{type: string, format: email}     | nobody | a: Invalid value: \"nobody\": a in body must be of type email: \"nobody\"",
        "{type: string, format: hostname}  | a_b!c | a: Invalid value: \"a_b!c\": a in body must be of type hostname: \"a_b!c\"",
        "{type: string, format: byte}      | 'YQ==' | right",
        "{type: string, format: isbn}      | 978-0321751041 | right",
        "{type: string, format: creditcard} | '4111111111111112' | a: Invalid value: \"4111111111111112\": a in body must be of type creditcard: \"4111111111111112\"",
        "{type: string, format: k8s-short-name} | A | a: Invalid value: \"A\": a in body must be of type k8s-short-name: \"A\"",
        "{type: string, format: unheard-of} | anything | right",
        // combinations
        "{type: string, anyOf: [{maxLength: 1}, {pattern: ^x}]} | ab | <nil>: Invalid value: \"\": \"a\" must validate at least one schema (anyOf); a: Too long: may not be more than 1 byte",
        "{type: string, oneOf: [{minLength: 1}, {pattern: ^x}]} | x | <nil>: Invalid value: \"\": \"a\" must validate one and only one schema (oneOf). Found 2 valid alternatives",
        "{type: string, allOf: [{minLength: 2}, {pattern: ^x}]} | w | a: Invalid value: \"w\": a in body should be at least 2 chars long; a: Invalid value: \"w\": a in body should match '^x'; <nil>: Invalid value: \"\": \"a\" must validate all the schemas (allOf). None validated",
        "{type: string, not: {pattern: ^x}} | xy | <nil>: Invalid value: \"\": \"a\" must not validate the schema (not)",
      })
  void saysWhatUpstreamSays(String fieldSchema, String fieldValue, String expected) {
    StructuralSchema schema = schema("type: object\nproperties: {a: " + fieldSchema + "}");
    List<FieldError> errors = ValueValidator.of(schema).validate(object("a: " + fieldValue));
    assertThat(String.join("; ", errors.stream().map(FieldError::toString).toList()))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void aWrongTypeHasAReasonOfItsOwn() {
    assertThat(ValueValidator.of(schema("type: string")).validate(value("5")))
        .extracting(FieldError::reason)
        .containsExactly(Reason.TYPE_INVALID);
  }

  @Test
  void whatWasWrongAndDidNotChangeIsForgiven() {
    StructuralSchema schema =
        schema(
            """
            type: object
            properties:
              a: {type: string, maxLength: 1}
              b: {type: string, maxLength: 1}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, properties: {name: {type: string}, num: {type: integer, maximum: 1}}}
              atomic: {type: array, items: {type: integer, maximum: 1}}
            """);
    String old = "{a: long, b: x, ports: [{name: p, num: 5}], atomic: [5]}";
    ValueValidator validator = ValueValidator.of(schema);
    assertThat(validator.validate(object(old), object(old))).isEmpty();
    assertThat(
            validator.validate(
                object(
                    "{a: long, b: w, ports: [{name: q, num: 1}, {name: p, num: 5}], atomic: [5]}"),
                object(old)))
        .isEmpty();
    assertThat(validator.validate(object("{a: longer, atomic: [5, 1]}"), object(old)))
        .extracting(FieldError::field)
        .containsExactly("a", "atomic[0]");
  }

  @Test
  void aPartIsNamedBeforeItsFieldsButNotInTheWords() {
    StructuralSchema status = schema("{type: object, properties: {replicas: {type: integer}}}");
    assertThat(ValueValidator.of(status).validatePart("status", object("replicas: x"), null))
        .hasToString(
            "[status.replicas: Invalid value: \"string\": replicas in body must be of type integer:"
                + " \"string\"]");
  }
}
