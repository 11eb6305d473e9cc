package dev.berth.serving.openapi;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * The definitions of a kind that somebody defined: its schema with what every object has. The older
 * dialect cannot say all that a schema says, so there what it cannot say is left out, as upstream
 * does for the sake of {@code kubectl}.
 */
record CustomDefinitions(Dialect dialect, Resource resource) {
  private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  private static final String LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
  static final List<String> METADATA = List.of(OBJECT_META, LIST_META);

  private static final String MORE =
      " More info: https://git.k8s.io/community/contributors/devel/sig-architecture/"
          + "api-conventions.md#";
  private static final String API_VERSION =
      "APIVersion defines the versioned schema of this representation of an object. Servers should"
          + " convert recognized schemas to the latest internal value, and may reject unrecognized"
          + " values."
          + MORE
          + "resources";
  private static final String KIND =
      "Kind is a string value representing the REST resource this object represents. Servers may"
          + " infer this from the endpoint the client submits requests to. Cannot be updated. In"
          + " CamelCase."
          + MORE
          + "types-kinds";
  private static final List<String> NOT_IN_V2 = List.of("allOf", "anyOf", "oneOf", "not");

  /** Such as {@code com.example.stable.v1.CronTab}. */
  String name() {
    return name(resource.kind().kind());
  }

  String listName() {
    return name(resource.listKind());
  }

  private String name(String kind) {
    List<String> parts = List.of(resource.kind().group().split("\\.", -1));
    return String.join(".", parts.reversed()) + "." + resource.kind().version() + "." + kind;
  }

  JsonObject object(StructuralSchema schema) {
    JsonObject source = schema.source();
    boolean anything = dialect == Dialect.V2 && schema.preservesUnknown();
    JsonObject definition;
    if (source.isEmpty() || anything) {
      definition = JsonObject.of("type", "object");
    } else {
      definition = dialect == Dialect.V2 ? older(source) : source;
      definition = embedded(definition);
      definition =
          definition.with(
              "properties", meta(definition.object("properties"), OBJECT_META, "metadata"));
    }
    return definition.with("x-kubernetes-group-version-kind", kinds(resource.kind().kind()));
  }

  JsonObject list() {
    JsonObject items =
        new JsonObject.Builder()
            .put("description", "List of " + resource.plural() + "." + MORE + "lists")
            .put("type", "array")
            .put("items", JsonObject.of("$ref", dialect.reference(name())))
            .build();
    return new JsonObject.Builder()
        .put("description", resource.listKind() + " is a list of " + resource.kind().kind())
        .put("type", "object")
        .put("required", JsonArray.of("items"))
        .put("properties", meta(JsonObject.of("items", items), LIST_META, "metadata"))
        .put("x-kubernetes-group-version-kind", kinds(resource.listKind()))
        .build();
  }

  private JsonArray kinds(String kind) {
    GroupVersionKind own = resource.kind();
    return JsonArray.of(Operations.kind(new GroupVersionKind(own.group(), own.version(), kind)));
  }

  /** The fields of an object with those that every object has. */
  private JsonObject meta(JsonObject properties, String type, String field) {
    JsonObject.Builder metadata =
        new JsonObject.Builder()
            .put("description", "Standard object's metadata." + MORE + "metadata");
    dialect.refer(metadata, type);
    return properties
        .with("apiVersion", text(API_VERSION))
        .with("kind", text(KIND))
        .with(field, metadata.build());
  }

  private static JsonObject text(String description) {
    return new JsonObject.Builder().put("description", description).put("type", "string").build();
  }

  /** A schema with the fields of objects that are inside of others. */
  private JsonObject embedded(JsonObject schema) {
    JsonObject result = schema;
    if (schema.get("properties") instanceof JsonObject properties) {
      JsonObject inside = properties;
      for (String name : properties.names()) {
        if (properties.get(name) instanceof JsonObject property) {
          inside = inside.with(name, embedded(property));
        }
      }
      result = result.with("properties", inside);
    }
    for (String field : List.of("items", "additionalProperties")) {
      if (schema.get(field) instanceof JsonObject inside) {
        result = result.with(field, embedded(inside));
      }
    }
    return Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"))
        ? result.with("properties", meta(result.object("properties"), OBJECT_META, "metadata"))
        : result;
  }

  /** A schema as the older dialect can say it. */
  private static JsonObject older(JsonObject schema) {
    JsonObject result = schema;
    for (String field : NOT_IN_V2) {
      result = result.without(field);
    }
    boolean preserves = Boolean.TRUE.equals(schema.get("x-kubernetes-preserve-unknown-fields"));
    if (Boolean.TRUE.equals(schema.get("nullable"))) {
      result = result.without("nullable").without("type");
      preserves = true;
    }
    if (preserves) {
      result = result.without("items").without("properties");
    }
    if ("array".equals(result.get("type")) && !result.has("items")) {
      result = result.without("type");
    }
    if (result.get("properties") instanceof JsonObject properties) {
      JsonObject inside = properties;
      for (String name : properties.names()) {
        if (properties.get(name) instanceof JsonObject property) {
          inside = inside.with(name, older(property));
        }
      }
      result = result.with("properties", inside);
    }
    for (String field : List.of("items", "additionalProperties")) {
      if (result.get(field) instanceof JsonObject inside) {
        result = result.with(field, older(inside));
      }
    }
    return result;
  }
}
