package dev.berth.kinds.resource;

import dev.berth.model.meta.Times;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings an object from a client into the shape that its schema says: what the schema does not know
 * is dropped and noted, nulls and zeros are dropped where Kubernetes' own types cannot tell them
 * from a field that was left out, and a value of the wrong type is an error. Whoever reads the
 * object afterwards meets no surprise.
 */
public final class Conforming {
  private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private final Schemas schemas;
  private final boolean keepsEmpty;
  private final boolean converts;
  private final List<String> unknown = new ArrayList<>();

  private Conforming(Schemas schemas, boolean keepsEmpty, boolean converts) {
    this.schemas = schemas;
    this.keepsEmpty = keepsEmpty;
    this.converts = converts;
  }

  /**
   * An object in its shape.
   *
   * @param unknownFields the fields that were dropped, as Kubernetes writes their paths; no more
   *     than {@link JsonLimits#MOST_ODDITIES}
   */
  public record Result(JsonObject object, List<String> unknownFields) {
    public Result {
      unknownFields = List.copyOf(unknownFields);
    }
  }

  /**
   * Shapes an object.
   *
   * @param known an object of the kind that is in shape, such as the one that a patch was applied
   *     to: what is shared with it is not looked at again
   * @throws JsonException if a value has the wrong type
   */
  public static Result shape(
      JsonObject object, JsonObject known, GroupVersionKind kind, Schemas schemas) {
    return new Conforming(schemas, false, false).shape(object, known, kind);
  }

  /**
   * Shapes an object that a configuration was merged into.
   *
   * @param known the object that it was merged into
   * @throws JsonException if a value cannot be converted into its field's type, in Kubernetes'
   *     words
   */
  public static JsonObject shapeMerged(
      JsonObject object, JsonObject known, GroupVersionKind kind, Schemas schemas) {
    return new Conforming(schemas, false, true).shape(object, known, kind).object();
  }

  /** Shapes an object of a resource, be its schema built in or defined by somebody. */
  public static Result shape(JsonObject object, JsonObject known, Resource resource) {
    return resource
        .custom()
        .map(custom -> custom.shape(object, false))
        .orElseGet(() -> shape(object, known, resource.kind(), Schemas.builtIn()));
  }

  /**
   * Shapes what somebody applies, where an empty list is a wish, that nothing be in it, and a null
   * is another: that the field be left to its default. What has the right type and cannot be read
   * all the same (no quantity, no base64, too large) stays as it is: whether it may be applied is
   * asked first, and {@link #shape} of the merged object refuses it.
   *
   * @throws JsonException if a value has the wrong type
   */
  public static Result shapeApplied(JsonObject object, GroupVersionKind kind, Schemas schemas) {
    return new Conforming(schemas, true, false).shape(object, JsonObject.EMPTY, kind);
  }

  /**
   * Shapes the metadata of an object whose kind has no schema here.
   *
   * @param at where they are, for messages and for the names of unknown fields
   * @throws JsonException if a value has the wrong type
   */
  public static Result shapeMetadata(Object metadata, FieldPath at) {
    Conforming conforming = new Conforming(Schemas.builtIn(), false, false);
    TypeSchema type =
        conforming
            .schemas
            .type(OBJECT_META)
            .orElseThrow(() -> new IllegalStateException("There is no type " + OBJECT_META));
    JsonObject object = expect(metadata, JsonObject.class, JsonKind.OBJECT, at);
    JsonObject shaped = conforming.object(object, JsonObject.EMPTY, type, at);
    return new Result(shaped, conforming.unknown);
  }

  /** Whether values are converted, and refused in the words of {@link UnstructuredConversion}. */
  boolean converts() {
    return converts;
  }

  private Result shape(JsonObject object, JsonObject known, GroupVersionKind kind) {
    TypeSchema type =
        schemas
            .kind(kind)
            .orElseThrow(() -> new IllegalArgumentException("There is no schema of " + kind));
    return new Result(object(object, known, type, FieldPath.ROOT), unknown);
  }

  JsonObject object(JsonObject object, @Nullable Object known, TypeSchema type, FieldPath path) {
    JsonObject before = known instanceof JsonObject same ? same : JsonObject.EMPTY;
    ShapedFields shaped = new ShapedFields(object);
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      Object knownValue = before.get(name);
      Object kept = isSame(value, knownValue) ? value : field(name, value, knownValue, type, path);
      if (kept == null) {
        shaped.drop(i);
      } else {
        shaped.keep(i, kept);
      }
    }
    return shaped.build();
  }

  /** The value of a field in its shape; null if it is to be left out. */
  private @Nullable Object field(
      String name, Object value, @Nullable Object known, TypeSchema type, FieldPath path) {
    FieldSchema field = type.field(name).orElse(null);
    if (field == null) {
      if (unknown.size() < JsonLimits.MOST_ODDITIES) {
        unknown.add(path.field(name).dotted());
      }
      return null;
    }
    if (keepsEmpty && value instanceof JsonNull) {
      return value;
    }
    Object kept =
        !keepsEmpty && DefinitionFields.contain(type, field)
            ? new DefinitionFields(this, new Conforming(schemas, false, false), type)
                .shape(field, value, path.field(name))
            : value(value, known, field.type(), path.field(name));
    return kept == null || (!keepsEmpty && isNothing(kept, field)) ? null : kept;
  }

  /** Sharing is what is asked, not equality: comparing would cost what it is to save. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Object value, @Nullable Object known) {
    return value == known;
  }

  /**
   * Whether a value says no more than its absence, in Kubernetes' own types. Who sends no managed
   * fields wants to be rid of them.
   */
  private static boolean isNothing(Object value, FieldSchema field) {
    return switch (field.zero()) {
      case KEPT -> false;
      case OMITTED -> isZero(value) && !field.name().equals("managedFields");
      case WRITTEN -> false;
      case NULL -> isEmptyCollection(value, field.type());
    };
  }

  private static boolean isZero(Object value) {
    return switch (value) {
      case String text -> text.isEmpty();
      case Long number -> number == 0;
      case Boolean flag -> !flag;
      case JsonArray list -> list.size() == 0;
      case JsonObject object -> object.isEmpty();
      default -> false;
    };
  }

  private static boolean isEmptyCollection(Object value, FieldType type) {
    return switch (type) {
      case FieldType.ListOf _ -> value instanceof JsonArray list && list.size() == 0;
      case FieldType.MapOf _ -> value instanceof JsonObject map && map.isEmpty();
      case FieldType.Scalar _, FieldType.Reference _ -> false;
    };
  }

  /** The value in its shape; null if it is to be left out. */
  private @Nullable Object value(
      Object value, @Nullable Object known, FieldType type, FieldPath path) {
    if (value instanceof JsonNull) {
      return null;
    }
    return switch (type) {
      case FieldType.Scalar scalar -> {
        if (keepsEmpty && scalar == FieldType.Scalar.BYTES && value instanceof JsonArray) {
          // Bytes may be spelled out in what is decoded, but not in what is merged.
          throw wrongKind(JsonKind.STRING, path, value);
        }
        if (keepsEmpty && isReadLater(value, scalar)) {
          yield value;
        }
        yield converts
            ? UnstructuredConversion.scalar(value, scalar, path)
            : scalar(value, scalar, path);
      }
      case FieldType.Reference reference ->
          object(
              expect(value, JsonObject.class, JsonKind.OBJECT, path),
              known,
              schemas
                  .type(reference.type())
                  .orElseThrow(
                      () -> new IllegalStateException("There is no type " + reference.type())),
              path);
      case FieldType.ListOf list ->
          list(expect(value, JsonArray.class, JsonKind.ARRAY, path), known, list.element(), path);
      case FieldType.MapOf map ->
          map(expect(value, JsonObject.class, JsonKind.OBJECT, path), known, map.value(), path);
    };
  }

  /** Whether a value has the type that a schema for merging says, and no more can be said of it. */
  private static boolean isReadLater(Object value, FieldType.Scalar type) {
    boolean number = value instanceof Long || value instanceof JsonNumber;
    boolean typed =
        switch (type) {
          case BYTES -> value instanceof String;
          case INT32, INT64 -> number;
          case INT_OR_STRING -> true;
          case QUANTITY, TIME, MICRO_TIME ->
              number || value instanceof String || value instanceof Boolean;
          case STRING, BOOLEAN, NUMBER, ANY -> false;
        };
    if (!typed) {
      return false;
    }
    try {
      scalar(value, type, FieldPath.ROOT);
      return false;
    } catch (JsonException _) {
      return true;
    }
  }

  private JsonArray list(
      JsonArray array, @Nullable Object known, FieldType element, FieldPath path) {
    JsonArray before = known instanceof JsonArray same ? same : JsonArray.EMPTY;
    Object @Nullable [] shaped = null;
    for (int i = 0; i < array.size(); i++) {
      Object value = array.get(i);
      Object knownValue = i < before.size() ? before.get(i) : null;
      if (isSame(value, knownValue)) {
        continue;
      }
      Object kept = value(value, knownValue, element, path.index(i));
      kept = kept == null ? ofNull(element) : kept;
      if (!isSame(kept, value)) {
        shaped = shaped == null ? array.values().toArray() : shaped;
        shaped[i] = kept;
      }
    }
    return shaped == null ? array : JsonArray.of(shaped);
  }

  private JsonObject map(
      JsonObject object, @Nullable Object known, FieldType element, FieldPath path) {
    JsonObject before = known instanceof JsonObject same ? same : JsonObject.EMPTY;
    ShapedFields shaped = new ShapedFields(object);
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      Object knownValue = before.get(name);
      Object kept =
          isSame(value, knownValue) ? value : value(value, knownValue, element, path.key(name));
      shaped.keep(i, kept == null ? ofNull(element) : kept);
    }
    return shaped.build();
  }

  /** What Kubernetes reads a null as in a list or a map: the zero of what it is made of. */
  private static Object ofNull(FieldType element) {
    return switch (element) {
      case FieldType.Reference _ -> JsonObject.EMPTY;
      case FieldType.ListOf _, FieldType.MapOf _ -> JsonNull.NULL;
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> "";
            case INT32, INT64, NUMBER, INT_OR_STRING -> 0L;
            case BOOLEAN -> false;
            case QUANTITY -> "0";
            case TIME, MICRO_TIME, ANY -> JsonNull.NULL;
          };
    };
  }

  /** The value itself, but quantities in their canonical form, in which all clients expect them. */
  static Object scalar(Object value, FieldType.Scalar type, FieldPath path) {
    switch (type) {
      case STRING -> expect(value, String.class, JsonKind.STRING, path);
      case BYTES -> {
        return value instanceof JsonArray numbers
            ? bytes(numbers, path)
            : bytes(expect(value, String.class, JsonKind.STRING, path), path);
      }
      case BOOLEAN -> expect(value, Boolean.class, JsonKind.BOOLEAN, path);
      case INT32 -> shortInteger(value, path);
      case INT64 -> integer(value, path);
      case NUMBER -> {
        if (!(value instanceof Long) && !(value instanceof JsonNumber)) {
          throw wrongKind(JsonKind.NUMBER, path, value);
        }
      }
      case INT_OR_STRING -> {
        if (!(value instanceof String)) {
          shortInteger(value, path);
        }
      }
      case QUANTITY -> {
        return quantity(value, path);
      }
      case TIME -> time(value, path, false);
      case MICRO_TIME -> time(value, path, true);
      case ANY -> {}
    }
    return value;
  }

  /** Bytes that are spelled out as numbers, as Go reads them, too. */
  private static String bytes(JsonArray numbers, FieldPath path) {
    byte[] bytes = new byte[numbers.size()];
    for (int i = 0; i < bytes.length; i++) {
      long number = numbers.get(i) instanceof JsonNull ? 0 : integer(numbers.get(i), path.index(i));
      if (number != (number & 0xff)) {
        throw new JsonException(path.index(i) + ": expected a byte, found " + number);
      }
      bytes[i] = (byte) number;
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Bytes as Kubernetes writes them, which read them with line breaks, too. */
  private static String bytes(String text, FieldPath path) {
    String joined = text.replace("\n", "").replace("\r", "");
    try {
      if (joined.length() % 4 != 0) {
        throw new IllegalArgumentException("its length is no multiple of 4");
      }
      String canonical = Base64.getEncoder().encodeToString(Base64.getDecoder().decode(joined));
      return canonical.equals(text) ? text : canonical;
    } catch (IllegalArgumentException _) {
      throw new JsonException(path + ": illegal base64 data");
    }
  }

  private static void shortInteger(Object value, FieldPath path) {
    long number = integer(value, path);
    if (number != (int) number) {
      throw new JsonException(path + ": expected a 32-bit integer, found " + number);
    }
  }

  private static String quantity(Object value, FieldPath path) {
    try {
      String canonical = Quantity.fromTree(value).toString();
      return value instanceof String text && text.equals(canonical) ? text : canonical;
    } catch (QuantityFormatException e) {
      throw new JsonException(path + ": " + e.getMessage());
    }
  }

  private static long integer(Object value, FieldPath path) {
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof JsonNumber number) {
      throw new JsonException(path + ": expected a 64-bit integer, found " + number);
    }
    throw wrongKind(JsonKind.NUMBER, path, value);
  }

  private static void time(Object value, FieldPath path, boolean micro) {
    String text = expect(value, String.class, JsonKind.STRING, path);
    try {
      var _ = micro ? Times.parseMicro(text) : Times.parse(text);
    } catch (IllegalArgumentException e) {
      throw new JsonException(path + ": " + e.getMessage());
    }
  }

  private static <T> T expect(Object value, Class<T> type, JsonKind kind, FieldPath path) {
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw wrongKind(kind, path, value);
  }

  static JsonException wrongKind(JsonKind kind, FieldPath path, Object value) {
    return new JsonException(
        path + ": expected " + kind.withArticle() + ", found " + JsonKind.of(value).withArticle());
  }
}
