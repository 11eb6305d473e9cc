package dev.berth.customresources.definition;

import static dev.berth.customresources.fixture.Documents.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Definitions, and what upstream says of them. */
class DefinitionValidationTest {
  private static final DefinitionRules RULES = new DefinitionRules();
  private static final String GOOD =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: foos.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: foos, kind: Foo}
        versions:
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
      """;

  private static JsonObject prepared(String yaml) {
    return RULES.prepareForCreate(RULES.defaults(object(yaml)), Instant.EPOCH);
  }

  private static List<String> errors(String yaml) {
    return RULES.validate(prepared(yaml)).stream().map(FieldError::toString).toList();
  }

  @Test
  void fillsInNamesConversionAndStoredVersions() {
    JsonObject definition = prepared(GOOD);
    assertThat(errors(GOOD)).isEmpty();
    assertThat(definition.object("spec").object("names"))
        .isEqualTo(object("{plural: foos, kind: Foo, singular: foo, listKind: FooList}"));
    assertThat(definition.object("spec").object("conversion")).isEqualTo(object("strategy: None"));
    assertThat(definition.object("status")).isEqualTo(object("storedVersions: [v1]"));
  }

  @Test
  void withoutVersionsThereIsNothingToShow() {
    assertThat(errors(GOOD.substring(0, GOOD.indexOf("  versions:"))))
        .contains(
            "spec.versions: Invalid value: null: must have exactly one version marked as storage"
                + " version",
            "status.storedVersions: Invalid value: null: must have at least one stored version");
  }

  /** Each row: what is replaced in a good definition, by what, and the error. */
  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{name: foos.example.com} | {name: foo.example.com} | metadata.name: Invalid value:"
            + " \"foo.example.com\": must be spec.names.plural+\".\"+spec.group",
        "group: example.com | group: nodot | spec.group: Invalid value: \"nodot\": should be a"
            + " domain with at least one dot",
        "group: example.com | group: '' | spec.group: Required value",
        "scope: Namespaced  | scope: Galaxy | spec.scope: Unsupported value: \"Galaxy\": supported"
            + " values: \"Cluster\", \"Namespaced\"",
        "storage: true      | storage: false | spec.versions: Invalid value:"
            + " [{\"Name\":\"v1\",\"Served\":true,\"Storage\":false,\"Deprecated\":false,\"DeprecationWarning\":null,\"Schema\":null,\"Subresources\":null,\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}]:"
            + " must have exactly one version marked as storage version",
        "name: v1,          | name: V_1, | spec.version: Invalid value: \"V_1\": a DNS-1035 label"
            + " must consist of lower case alphanumeric characters or '-', start with an alphabetic"
            + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123',"
            + " regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        "kind: Foo          | kind: Foo, listKind: Foo | spec.names.listKind: Invalid value:"
            + " \"Foo\": kind and listKind may not be the same",
        "served: true       | served: true, deprecationWarning: old |"
            + " spec.versions[0].deprecationWarning: Invalid value: \"old\": can only be set for"
            + " deprecated versions",
        "served: true       | served: true, subresources: {scale: {specReplicasPath: .x,"
            + " statusReplicasPath: .status.r}} | spec.subresources.scale.specReplicasPath: Invalid"
            + " value: \".x\": should be a json path under .spec",
        "served: true       | served: true, additionalPrinterColumns: [{name: a, type: text,"
            + " jsonPath: .a}] | spec.additionalPrinterColumns[0].type: Invalid value: \"text\":"
            + " must be one of boolean,date,integer,number,string",
        "served: true       | served: true, selectableFields: [{jsonPath: .spec.x}] |"
            + " spec.selectableFields[0].jsonPath: Invalid value: \".spec.x\": is an invalid path:"
            + " does not refer to a valid field",
        "scope: Namespaced  | scope: Namespaced, conversion: {strategy: Webhook} |"
            + " spec.conversion.webhookClientConfig: Required value: required when strategy is set"
            + " to Webhook",
        "scope: Namespaced  | scope: Namespaced, preserveUnknownFields: true |"
            + " spec.preserveUnknownFields: Invalid value: true: cannot set to true, set"
            + " x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
        "schema: {openAPIV3Schema: {type: object}} | schema: {} |"
            + " spec.versions[0].schema.openAPIV3Schema: Required value",
      })
  void saysWhatIsWrongWithADefinition(String part, String other, String expected) {
    // The scope stands on a line of its own.
    String more = part.startsWith("scope") ? other.replace(", ", "\n  ") : other;
    assertThat(errors(GOOD.replace(part, more))).contains(expected);
  }

  /** Each row: the schema of the field a in a spec, and the errors with the path to it left out. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "right",
      value = {
        "{type: string}       | right",
        "{}                   | .type: Required value: must not be empty for specified object"
            + " fields",
        "{type: text}         | .type: Unsupported value: \"text\": supported values: \"array\","
            + " \"boolean\", \"integer\", \"number\", \"object\", \"string\"",
        "{type: array}        | .items: Required value: must be specified",
        "{type: array, items: {}} | .items.type: Required value: must not be empty for specified"
            + " array items",
        "{type: array, items: [{type: string}]} | .items: Forbidden: items must be a schema object"
            + " and not an array",
        "{type: string, pattern: '['} | .pattern: Invalid value: \"[\": must be a valid regular"
            + " expression, but isn't: error parsing regexp: missing closing ]: `[`",
        "{type: string, pattern: '(?=x)'} | .pattern: Invalid value: \"(?=x)\": must be a valid"
            + " regular expression, but isn't: error parsing regexp: invalid or unsupported Perl"
            + " syntax: `(?=`",
        "{type: array, uniqueItems: true, items: {type: string}} | .uniqueItems: Forbidden:"
            + " uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        "{type: string, $ref: '#/x'} | .$ref: Forbidden: $ref is not supported",
        "{type: object, properties: {x: {type: string}}, additionalProperties: {type: string}} |"
            + " .additionalProperties: Forbidden: additionalProperties and properties are mutual"
            + " exclusive",
        "{type: string, anyOf: [{type: string}]} | .anyOf[0].type: Forbidden: must be empty to be"
            + " structural",
        "{type: string, not: {description: x}} | .not.description: Forbidden: must be empty to be"
            + " structural",
        "{type: object, oneOf: [{required: [x]}]} | right",
        "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]} | right",
        "{x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true} |"
            + " .x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if"
            + " x-kubernetes-int-or-string is true",
        "{type: string, x-kubernetes-preserve-unknown-fields: false} |"
            + " .x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or"
            + " undefined",
        "{type: object, x-kubernetes-embedded-resource: true} | .properties: Required value: must"
            + " not be empty if x-kubernetes-embedded-resource is true without"
            + " x-kubernetes-preserve-unknown-fields",
        "{type: string, x-kubernetes-map-type: atomic} | .type: Invalid value: \"string\": must be"
            + " object if x-kubernetes-map-type is specified",
        "{type: array, x-kubernetes-list-type: bag, items: {type: string}} |"
            + " .x-kubernetes-list-type: Unsupported value: \"bag\": supported values: \"atomic\","
            + " \"set\", \"map\"",
        "{type: array, x-kubernetes-list-type: map, items: {type: object}} |"
            + " .x-kubernetes-list-map-keys: Required value: must not be empty if"
            + " x-kubernetes-list-type is map",
        "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type:"
            + " object, properties: {k: {type: string}}}} | .items.properties[k].default: Required"
            + " value: this property is in x-kubernetes-list-map-keys, so it must have a default or"
            + " be a required property",
        "{type: array, x-kubernetes-list-type: set, items: {type: object}} |"
            + " .items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list"
            + " with x-kubernetes-list-type=set",
        "{type: integer, default: x} | .default: Invalid value: \"string\": .default in body must"
            + " be of type integer: \"string\"",
        "{type: object, default: {x: 1}} | .default: Invalid value: {\"x\":1}: must not have"
            + " unknown fields",
        "{type: string, x-kubernetes-validations: [{rule: ' '}]} |"
            + " .x-kubernetes-validations[0].rule: Required value: rule is not specified",
        "{type: string, x-kubernetes-validations: [{rule: 'true', reason: Because}]} |"
            + " .x-kubernetes-validations[0].reason: Unsupported value: \"Because\": supported"
            + " values: \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\","
            + " \"FieldValueRequired\"",
      })
  void saysWhatIsWrongWithASchema(String field, String expected) {
    String schema =
        "{type: object, properties: {spec: {type: object, properties: {a: " + field + "}}}}";
    String prefix = "spec.validation.openAPIV3Schema.properties[spec].properties[a]";
    List<String> errors =
        errors(GOOD.replace("{type: object}", schema)).stream()
            .map(error -> error.replace(prefix, ""))
            .map(error -> error.replace(" in body must be of type integer: \"string\"", "X"))
            .toList();
    if (expected == null) {
      assertThat(errors).isEmpty();
    } else {
      String wanted = expected.replace(".default in body must be of type integer: \"string\"", "X");
      assertThat(errors).contains(wanted);
    }
  }

  @Test
  void theRootIsOfObjectsAndLeavesMetadataAlone() {
    assertThat(errors(GOOD.replace("{type: object}", "{type: string}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.type: Invalid value: \"string\": must be object at the"
                + " root");
    assertThat(
            errors(
                GOOD.replace(
                    "{type: object}",
                    "{type: object, properties: {metadata: {type: object, properties: {labels:"
                        + " {type: object}}}}}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify"
                + " anything other than name and generateName, but metadata is implicitly"
                + " specified");
  }

  @Test
  void whatRestrictsAValueMustRestrictOneThatIsKnown() {
    assertThat(
            errors(
                GOOD.replace(
                    "{type: object}", "{type: object, oneOf: [{properties: {x: {minimum: 1}}}]}")))
        .contains(
            "spec.validation.openAPIV3Schema.properties[x]: Required value: because it is defined"
                + " in spec.validation.openAPIV3Schema.oneOf[0].properties[x]");
  }

  @Test
  void groupsOfTheCommunityNeedAnApproval() {
    String protectedGroup =
        GOOD.replace("foos.example.com", "foos.x.k8s.io").replace("example.com", "x.k8s.io");
    assertThat(errors(protectedGroup))
        .containsExactly(
            "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups"
                + " must have approval annotation \"api-approved.kubernetes.io\", see"
                + " https://github.com/kubernetes/enhancements/pull/1111");
    assertThat(
            errors(
                protectedGroup.replace(
                    "{name: foos.x.k8s.io}",
                    "{name: foos.x.k8s.io, annotations: {api-approved.kubernetes.io: 'unapproved,"
                        + " a test'}}")))
        .isEmpty();
  }

  @Test
  void someThingsNeverChangeAndOthersNotOnceEstablished() {
    JsonObject old = prepared(GOOD);
    JsonObject renamed = (JsonObject) FieldPath.parse("spec.names.kind").set(old, "Bar");
    assertThat(RULES.validateReplacing(renamed, old)).isEmpty();
    JsonObject established =
        old.with(
            "status",
            Conditions.with(
                old.object("status"),
                new Conditions.Condition("Established", "True", "x", "x"),
                Instant.EPOCH));
    assertThat(RULES.validateReplacing(renamed, established))
        .hasToString("[spec.names.kind: Invalid value: \"Bar\": field is immutable]");
  }

  @Test
  void aVersionStaysUntilNothingIsStoredInIt() {
    JsonObject old = prepared(GOOD);
    JsonObject next = RULES.defaults(object(GOOD.replace("name: v1,", "name: v2,")));
    next = RULES.prepareForUpdate(next.with("status", old.object("status")), old, Instant.EPOCH);
    assertThat(next.object("status").array("storedVersions")).hasToString("[\"v1\",\"v2\"]");
    assertThat(RULES.validateReplacing(next, old))
        .hasToString(
            "[status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                + " previously a storage version, and must remain in spec.versions until a storage"
                + " migration ensures no data remains persisted in v1 and removes v1 from"
                + " status.storedVersions]");
  }

  @Test
  void deletingADefinitionWaitsForItsInstances() {
    JsonObject marked =
        RULES.prepareForDelete(
            object(
                "metadata: {name: foos.example.com, deletionTimestamp: '2026-01-01T00:00:00Z'}"));
    DefinitionView view = new DefinitionView(marked);
    assertThat(view.hasFinalizer()).isTrue();
    assertThat(view.isTrue(DefinitionView.TERMINATING)).isTrue();
  }

  /** Upstream evaluates the rules of a schema for the values that it gives by default. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{type: integer, default: 5, x-kubernetes-validations: [{rule: self > 3}]} | ",
        "{type: integer, default: 2, x-kubernetes-validations: [{rule: self > 3}]} |"
            + " spec.validation.openAPIV3Schema.properties[a].default: Invalid value: 2: failed"
            + " rule: self > 3",
        "{type: object, default: {b: 2}, properties: {b: {type: integer, x-kubernetes-validations:"
            + " [{rule: self > 3, message: too small}]}}} |"
            + " spec.validation.openAPIV3Schema.properties[a].default.b: Invalid value: 2: too"
            + " small",
        "{type: integer, default: 2, x-kubernetes-validations: [{rule: self == oldSelf}]} | ",
        "{type: integer, default: 2, x-kubernetes-validations: [{rule: 'oldSelf.hasValue()',"
            + " optionalOldSelf: true}]} | spec.validation.openAPIV3Schema.properties[a].default:"
            + " Invalid value: 2: failed rule: oldSelf.hasValue()",
      })
  void defaultsKeepTheRulesOfTheirSchema(String schema, String error) {
    String yaml =
        GOOD.replace("{type: object}", "{type: object, properties: {a: %s}}".formatted(schema));
    assertThat(errors(yaml)).isEqualTo(error == null ? List.of() : List.of(error));
  }
}
