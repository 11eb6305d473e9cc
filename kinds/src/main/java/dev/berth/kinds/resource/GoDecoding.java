package dev.berth.kinds.resource;

import dev.berth.kinds.resource.GoTypes.GoField;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * Says in Go's words why an object cannot be read as one of a kind, as clients know it from
 * Kubernetes. Go reads an object field by field, as it was sent:
 *
 * <ol>
 *   <li>A value of the wrong type is remembered and skipped; of several, the first is told.
 *   <li>A value that a type reads by itself (a time, a quantity, a number or a text) and refuses
 *       ends everything, and is told instead.
 *   <li>A place is told by the innermost type, and by the fields that lead there, among them those
 *       by which a type embeds another; elements of lists and maps have none.
 * </ol>
 */
public final class GoDecoding {
  private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private static final String NO_QUANTITY =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  /** Schemas of custom resources are read by rules of their own, by {@link DefinitionFields}. */
  private static final String OWN_RULES = ".JSONSchemaProps";

  private static final int LONGEST_QUANTITY = 100;

  private String first = "";

  /** What a type that reads itself says; everything ends with it. */
  private String last = "";

  private GoDecoding() {}

  /** Where a value is: the innermost type, and the fields that lead there. */
  private record Place(String type, String fields) {
    static final Place ROOT = new Place("", "");

    Place of(String innermost, GoField field, String name) {
      String embedded = field.embedded().isEmpty() ? "" : field.embedded() + ".";
      String before = fields.isEmpty() ? "" : fields + ".";
      return new Place(innermost, before + embedded + name);
    }
  }

  /** Why an object is none of a kind; empty if that is not for Go to say. */
  public static Optional<String> problem(JsonObject object, GroupVersionKind kind) {
    GoDecoding decoding = new GoDecoding();
    Schemas.builtIn().kind(kind).ifPresent(type -> decoding.object(object, type, Place.ROOT));
    String said = decoding.last.isEmpty() ? decoding.first : decoding.last;
    return said.isEmpty() ? Optional.empty() : Optional.of(said);
  }

  /** Why the metadata of an object, whose kind somebody defined, are none. */
  public static Optional<String> metadataProblem(JsonObject object) {
    Object metadata = object.get("metadata");
    if (metadata == null || metadata == JsonNull.NULL) {
      return Optional.empty();
    }
    if (!(metadata instanceof JsonObject fields)) {
      return Optional.of(notOf(metadata, "v1.ObjectMeta"));
    }
    // They were a map before, which Go writes in the order of its keys.
    JsonObject.Builder sorted = new JsonObject.Builder();
    fields.names().stream().sorted().forEach(name -> sorted.putIfPresent(name, fields.get(name)));
    GoDecoding decoding = new GoDecoding();
    Schemas.builtIn()
        .type(OBJECT_META)
        .ifPresent(type -> decoding.object(sorted.build(), type, Place.ROOT));
    return Optional.of(decoding.first).filter(said -> !said.isEmpty());
  }

  private void object(JsonObject object, TypeSchema type, Place place) {
    for (int i = 0; i < object.size() && last.isEmpty(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      type.field(name)
          .ifPresent(field -> {
            GoField go = GoTypes.field(type, field);
            value(value, field.type(), go.type(), place.of(GoTypes.name(type), go, name));
          });
    }
  }

  private void value(Object value, FieldType type, String goType, Place place) {
    if (value instanceof JsonNull || !last.isEmpty()) {
      return;
    }
    switch (type) {
      case FieldType.Reference reference -> {
        if (reference.type().endsWith(OWN_RULES)) {
          return;
        }
        if (value instanceof JsonObject object) {
          Schemas.builtIn()
              .type(reference.type())
              .ifPresent(schema -> object(object, schema, place));
        } else {
          wrong(value, goType, place);
        }
      }
      case FieldType.ListOf list -> {
        if (value instanceof JsonArray array) {
          String element = GoTypes.element(goType, list.element());
          array.values().forEach(each -> value(each, list.element(), element, place));
        } else {
          wrong(value, goType, place);
        }
      }
      case FieldType.MapOf map -> {
        if (value instanceof JsonObject object) {
          String element = GoTypes.element(goType, map.value());
          for (int i = 0; i < object.size(); i++) {
            value(object.value(i), map.value(), element, place);
          }
        } else {
          wrong(value, goType, place);
        }
      }
      case FieldType.Scalar scalar -> scalar(value, scalar, goType, place);
    }
  }

  private void scalar(Object value, FieldType.Scalar type, String goType, Place place) {
    JsonKind kind = JsonKind.of(value);
    switch (type) {
      case STRING -> expect(kind == JsonKind.STRING, value, goType, place);
      case BOOLEAN -> expect(kind == JsonKind.BOOLEAN, value, goType, place);
      case NUMBER -> expect(kind == JsonKind.NUMBER, value, goType, place);
      case INT32, INT64 -> {
        expect(kind == JsonKind.NUMBER, value, goType, place);
        if (!(value instanceof Long number) || (type == FieldType.Scalar.INT32 && isWide(number))) {
          remember(unmarshal("number " + value, goType, place));
        }
      }
      case BYTES -> bytes(value, goType, place);
      case INT_OR_STRING -> {
        if (kind == JsonKind.NUMBER && (!(value instanceof Long number) || isWide(number))) {
          last = unmarshal("number " + value, "int32", place);
        } else if (kind != JsonKind.NUMBER && kind != JsonKind.STRING) {
          last = unmarshal(word(value), "int32", place);
        }
      }
      case TIME, MICRO_TIME -> {
        if (value instanceof String text) {
          String problem = GoTimeLayout.problem(text, type == FieldType.Scalar.MICRO_TIME);
          last = problem == null ? "" : problem;
        } else {
          last = unmarshal(word(value), "string", place);
        }
      }
      case QUANTITY -> last = quantity(value);
      case ANY -> {}
    }
  }

  private static boolean isWide(long number) {
    return number != (int) number;
  }

  private void bytes(Object value, String goType, Place place) {
    switch (value) {
      case String text -> {
        int corrupt = UnstructuredConversion.corruptByte(text);
        if (corrupt >= 0) {
          remember("illegal base64 data at input byte " + corrupt);
        }
      }
      case JsonArray numbers ->
          numbers
              .values()
              .forEach(number -> {
                if (!(number instanceof JsonNull)) {
                  expect(JsonKind.of(number) == JsonKind.NUMBER, number, "uint8", place);
                }
              });
      default -> wrong(value, goType, place);
    }
  }

  private static String quantity(Object value) {
    JsonKind kind = JsonKind.of(value);
    if (kind != JsonKind.STRING && kind != JsonKind.NUMBER) {
      return NO_QUANTITY;
    }
    try {
      // Longer ones are refused by a limit of ours, if they are quantities so far.
      boolean isLong = value instanceof String text && text.length() > LONGEST_QUANTITY;
      var _ = Quantity.fromTree(isLong ? ((String) value).substring(0, LONGEST_QUANTITY) : value);
      return "";
    } catch (QuantityFormatException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void expect(boolean fits, Object value, String goType, Place place) {
    if (!fits) {
      wrong(value, goType, place);
    }
  }

  private void wrong(Object value, String goType, Place place) {
    remember(unmarshal(word(value), goType, place));
  }

  private void remember(String problem) {
    first = first.isEmpty() ? problem : first;
  }

  /** What Go says of a whole document that is not of a type. */
  public static String notOf(Object value, String goType) {
    return "json: cannot unmarshal %s into Go value of type %s".formatted(word(value), goType);
  }

  /** Go's word for the kind of a value. */
  public static String word(Object value) {
    return switch (JsonKind.of(value)) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case NUMBER -> "number";
      case BOOLEAN -> "bool";
      case NULL -> "null";
    };
  }

  private static String unmarshal(String what, String goType, Place place) {
    return "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
        .formatted(what, place.type(), place.fields(), goType);
  }
}
