package dev.berth.serving.openapi;

import static java.util.stream.Collectors.joining;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Descriptions;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes types, and those that they refer to, as OpenAPI's schemas. */
final class Definitions {
  private final Dialect dialect;
  private final Schemas schemas;
  private final Descriptions descriptions;
  private final Enums enums;
  private final TreeMap<String, JsonObject> written = new TreeMap<>();
  private final Deque<TypeSchema> waiting = new ArrayDeque<>();

  /** The names of kinds that have no type here because somebody defined them. */
  private final Map<GroupVersionKind, List<String>> custom = new HashMap<>();

  Definitions(Dialect dialect, Schemas schemas, Descriptions descriptions, Enums enums) {
    this.dialect = dialect;
    this.schemas = schemas;
    this.descriptions = descriptions;
    this.enums = enums;
  }

  /** Makes sure that a type is among the definitions, and returns a reference to it. */
  String use(TypeSchema type) {
    if (!written.containsKey(type.name())) {
      written.put(type.name(), JsonObject.EMPTY);
      waiting.add(type);
    }
    return dialect.reference(type.name());
  }

  /** Adds a kind that somebody defined, and lists of it. */
  void define(Resource resource, StructuralSchema schema) {
    if (custom.containsKey(resource.kind())) {
      return;
    }
    CustomDefinitions definitions = new CustomDefinitions(dialect, resource);
    custom.put(resource.kind(), List.of(definitions.name(), definitions.listName()));
    for (String type : CustomDefinitions.METADATA) {
      schemas.type(type).ifPresent(this::use);
    }
    written.put(definitions.name(), definitions.object(schema));
    written.put(definitions.listName(), definitions.list());
  }

  /** A reference to the definition of a kind or of lists of it; empty if it has none. */
  Optional<String> reference(GroupVersionKind kind, boolean list) {
    List<String> names = custom.get(kind);
    if (names != null) {
      return Optional.of(dialect.reference(list ? names.getLast() : names.getFirst()));
    }
    List<TypeSchema> found = ofKind(kind);
    found.forEach(this::use);
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(use(list ? found.getLast() : found.getFirst()));
  }

  /** All types that were used, directly or by others. */
  JsonObject build() {
    for (TypeSchema type = waiting.poll(); type != null; type = waiting.poll()) {
      written.put(type.name(), definition(type));
    }
    JsonObject.Builder all = new JsonObject.Builder();
    written.forEach(all::put);
    return all.build();
  }

  private JsonObject definition(TypeSchema type) {
    JsonObject.Builder schema = new JsonObject.Builder();
    describe(schema, descriptions.of(type));
    schema.put("type", "object");
    if (!type.fields().isEmpty()) {
      JsonObject.Builder properties = new JsonObject.Builder();
      for (FieldSchema field : type.fields()) {
        properties.put(field.name(), property(type, field));
      }
      schema.put("properties", properties.build());
    }
    List<String> required =
        type.fields().stream().filter(FieldSchema::required).map(FieldSchema::name).toList();
    if (!required.isEmpty()) {
      schema.put("required", JsonArray.copyOf(required));
    }
    if (type.kind() != null) {
      schema.put("x-kubernetes-group-version-kind", JsonArray.of(Operations.kind(type.kind())));
    }
    mapType(schema, type.mapType());
    return schema.build();
  }

  private JsonObject property(TypeSchema type, FieldSchema field) {
    JsonObject.Builder schema = new JsonObject.Builder();
    List<String> values = enums.of(type.name(), field.name());
    String description = descriptions.of(type, field.name());
    if (!values.isEmpty()) {
      description +=
          values.stream()
              .map(value -> " - `\"" + value + "\"`")
              .collect(joining("\n", "\n\nPossible enum values:\n", ""));
    }
    describe(schema, description);
    put(schema, type, field.type());
    if (!values.isEmpty()) {
      schema.put("enum", JsonArray.copyOf(values));
    }
    merging(schema, field.merging());
    return schema.build();
  }

  private static void describe(JsonObject.Builder schema, String description) {
    if (!description.isEmpty()) {
      schema.put("description", description);
    }
  }

  private void put(JsonObject.Builder schema, TypeSchema owner, FieldType type) {
    switch (type) {
      case FieldType.Reference(String name) ->
          schemas
              .type(name)
              .ifPresentOrElse(
                  referred -> {
                    use(referred);
                    dialect.refer(schema, name);
                  },
                  () -> schema.put("type", "object"));
      case FieldType.ListOf(FieldType element) ->
          schema.put("type", "array").put("items", alone(owner, element));
      case FieldType.MapOf(FieldType value) ->
          schema.put("type", "object").put("additionalProperties", alone(owner, value));
      case FieldType.Scalar scalar -> put(schema, owner, scalar);
    }
  }

  /** A schema with nothing but a type. */
  private JsonObject alone(TypeSchema owner, FieldType type) {
    if (type instanceof FieldType.Reference(String name) && schemas.type(name).isPresent()) {
      schemas.type(name).ifPresent(this::use);
      return JsonObject.of("$ref", dialect.reference(name));
    }
    JsonObject.Builder schema = new JsonObject.Builder();
    put(schema, owner, type);
    return schema.build();
  }

  private void put(JsonObject.Builder schema, TypeSchema owner, FieldType.Scalar scalar) {
    switch (scalar) {
      case STRING -> schema.put("type", "string");
      case BYTES -> schema.put("type", "string").put("format", "byte");
      case INT32 -> schema.put("type", "integer").put("format", "int32");
      case INT64 -> schema.put("type", "integer").put("format", "int64");
      case NUMBER -> schema.put("type", "number").put("format", "double");
      case BOOLEAN -> schema.put("type", "boolean");
      case INT_OR_STRING, QUANTITY, TIME, MICRO_TIME -> {
        WellKnownTypes known = WellKnownTypes.of(scalar).orElseThrow();
        written.put(known.type(), known.definition(dialect));
        dialect.refer(schema, known.type());
      }
      case ANY -> {
        // Anywhere but in the schema of a schema, anything means any object.
        if (!owner.name().contains(".JSONSchemaProps")) {
          schema.put("type", "object");
        }
      }
    }
  }

  private static void merging(JsonObject.Builder schema, Merging merging) {
    if (merging.listType() != Merging.ListType.UNSPECIFIED) {
      schema.put("x-kubernetes-list-type", lower(merging.listType()));
    }
    if (!merging.listMapKeys().isEmpty()) {
      schema.put("x-kubernetes-list-map-keys", JsonArray.copyOf(merging.listMapKeys()));
    }
    List<String> strategies = new ArrayList<>();
    merging.patchStrategies().stream()
        .sorted()
        .forEach(strategy ->
            strategies.add(
                strategy == Merging.PatchStrategy.RETAIN_KEYS ? "retainKeys" : lower(strategy)));
    if (!strategies.isEmpty()) {
      schema.put("x-kubernetes-patch-strategy", String.join(",", strategies));
    }
    if (!merging.patchMergeKey().isEmpty()) {
      schema.put("x-kubernetes-patch-merge-key", merging.patchMergeKey());
    }
    mapType(schema, merging.mapType());
  }

  private static void mapType(JsonObject.Builder schema, Merging.MapType type) {
    if (type != Merging.MapType.UNSPECIFIED) {
      schema.put("x-kubernetes-map-type", lower(type));
    }
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  /** The type of objects of a kind, and of lists of them. */
  List<TypeSchema> ofKind(GroupVersionKind kind) {
    List<TypeSchema> found = new ArrayList<>();
    schemas.kind(kind).ifPresent(found::add);
    schemas
        .kind(new GroupVersionKind(kind.group(), kind.version(), kind.kind() + "List"))
        .ifPresent(found::add);
    return found;
  }
}
