package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** What differs between the two versions of OpenAPI. */
enum Dialect {
  V2("#/definitions/") {
    @Override
    void refer(JsonObject.Builder field, String type) {
      field.put("$ref", reference(type));
    }

    @Override
    JsonObject parameter(String name, String in, String description, JsonObject schema) {
      JsonObject.Builder parameter = Dialect.begin(name, in, description);
      schema.forEach(parameter::put);
      return parameter.build();
    }
  },

  V3("#/components/schemas/") {
    // Nothing may stand beside a reference here, so one that has company is wrapped.
    @Override
    void refer(JsonObject.Builder field, String type) {
      field.put("allOf", JsonArray.of(JsonObject.of("$ref", reference(type))));
    }

    @Override
    JsonObject parameter(String name, String in, String description, JsonObject schema) {
      return Dialect.begin(name, in, description).put("schema", schema).build();
    }
  };

  private final String prefix;

  Dialect(String prefix) {
    this.prefix = prefix;
  }

  final String reference(String type) {
    return prefix + type;
  }

  /** Says that a field, which is described already, is of a type. */
  abstract void refer(JsonObject.Builder field, String type);

  abstract JsonObject parameter(String name, String in, String description, JsonObject schema);

  private static JsonObject.Builder begin(String name, String in, String description) {
    JsonObject.Builder parameter =
        new JsonObject.Builder().put("name", name).put("in", in).put("description", description);
    return in.equals("path") ? parameter.put("required", true) : parameter;
  }
}
