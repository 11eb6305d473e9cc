package dev.berth.kinds.resource;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of CustomResourceDefinitions that Kubernetes decodes in a way that their schemas do not
 * tell. In the schemas of custom resources, these may have one of several types:
 *
 * <ul>
 *   <li>{@code items} is a schema or a list of schemas, and anything else is nothing;
 *   <li>{@code additionalItems} and {@code additionalProperties} are a schema or a boolean;
 *   <li>each of the {@code dependencies} is a schema or a list of names, and anything else is
 *       nothing.
 * </ul>
 *
 * <p>Their decoders are not strict, so an unknown field below one of them is dropped and not noted.
 * The subresource {@code status} is an object that has no fields.
 */
final class DefinitionFields {
  private static final String PACKAGE = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
  private static final String SCHEMA = PACKAGE + "JSONSchemaProps";
  private static final String SUBRESOURCES = PACKAGE + "CustomResourceSubresources";
  private static final TypeSchema NO_FIELDS =
      new TypeSchema(
          PACKAGE + "CustomResourceSubresourceStatus", null, Merging.MapType.GRANULAR, List.of());

  private final Conforming strict;
  private final Conforming lenient;
  private final TypeSchema type;

  /**
   * @param strict shapes what is decoded strictly
   * @param lenient shapes what is not
   * @param type the type that has these fields
   */
  DefinitionFields(Conforming strict, Conforming lenient, TypeSchema type) {
    this.strict = strict;
    this.lenient = lenient;
    this.type = type;
  }

  static boolean contain(TypeSchema type, FieldSchema field) {
    return switch (type.name()) {
      case SCHEMA ->
          switch (field.name()) {
            case "items", "additionalItems", "additionalProperties", "dependencies" -> true;
            default -> false;
          };
      case SUBRESOURCES -> field.name().equals("status");
      default -> false;
    };
  }

  /**
   * The value in its shape; null if it is to be left out.
   *
   * @throws JsonException if it has the wrong type
   */
  @Nullable Object shape(FieldSchema field, Object value, FieldPath path) {
    if (value instanceof JsonNull) {
      return null;
    }
    return switch (field.name()) {
      case "items" -> items(value, path);
      case "dependencies" -> dependencies(object(value, path), path);
      case "status" -> strict.object(object(value, path), JsonObject.EMPTY, NO_FIELDS, path);
      default -> schemaOrBoolean(value, path);
    };
  }

  private @Nullable Object items(Object value, FieldPath path) {
    return switch (value) {
      case JsonObject object -> schema(object, path);
      case JsonArray list when list.size() > 0 -> {
        List<Object> schemas = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
          Object element = list.get(i);
          schemas.add(
              element instanceof JsonNull ? JsonObject.EMPTY : schema(element, path.index(i)));
        }
        yield JsonArray.of(schemas.toArray());
      }
      default -> null;
    };
  }

  private Object schemaOrBoolean(Object value, FieldPath path) {
    return switch (value) {
      case JsonObject object -> schema(object, path);
      case Boolean allowed -> allowed;
      default ->
          throw strict.converts()
              ? UnstructuredConversion.notSchemaOrBoolean(path)
              : new JsonException(
                  "%s: expected a boolean or a schema, found %s"
                      .formatted(path, JsonKind.of(value).withArticle()));
    };
  }

  private JsonObject dependencies(JsonObject object, FieldPath path) {
    JsonObject.Builder shaped = new JsonObject.Builder();
    for (int i = 0; i < object.size(); i++) {
      FieldPath at = path.key(object.name(i));
      Object dependency =
          switch (object.value(i)) {
            case JsonObject other -> schema(other, at);
            case JsonArray names when names.size() > 0 -> names(names, at);
            default -> JsonNull.NULL;
          };
      shaped.put(object.name(i), dependency);
    }
    return shaped.build();
  }

  private static JsonArray names(JsonArray names, FieldPath path) {
    Object[] shaped = names.values().toArray();
    for (int i = 0; i < shaped.length; i++) {
      if (shaped[i] instanceof JsonNull) {
        shaped[i] = "";
      } else if (!(shaped[i] instanceof String)) {
        throw Conforming.wrongKind(JsonKind.STRING, path.index(i), shaped[i]);
      }
    }
    return JsonArray.of(shaped);
  }

  private JsonObject schema(Object value, FieldPath path) {
    if (strict.converts() && !(value instanceof JsonObject)) {
      throw UnstructuredConversion.notSchema(value, path);
    }
    return lenient.object(object(value, path), JsonObject.EMPTY, type, path);
  }

  private static JsonObject object(Object value, FieldPath path) {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw Conforming.wrongKind(JsonKind.OBJECT, path, value);
  }
}
