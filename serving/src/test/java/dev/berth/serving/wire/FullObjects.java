package dev.berth.serving.wire;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;

/** Makes objects that have every field that their schema knows, no two values alike. */
final class FullObjects {
  private final Deque<String> around = new ArrayDeque<>();
  private int next = 1;

  static JsonObject of(GroupVersionKind kind) {
    TypeSchema type = Schemas.builtIn().kind(kind).orElseThrow();
    JsonObject.Builder object =
        new JsonObject.Builder().put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
    new FullObjects().fields(type).forEach(object::put);
    return object.build();
  }

  /** Objects inside others do not say their kind: protobuf has no place for it. */
  private JsonObject fields(TypeSchema type) {
    JsonObject.Builder object = new JsonObject.Builder();
    around.push(type.name());
    for (FieldSchema field : type.fields()) {
      boolean saysKind = field.name().equals("kind") || field.name().equals("apiVersion");
      if (!(type.kind() != null && saysKind)) {
        object.put(field.name(), value(field.type()));
      }
    }
    around.pop();
    return object.build();
  }

  private Object value(FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> scalar(scalar);
      case FieldType.Reference(String name) ->
          around.contains(name)
              ? JsonObject.EMPTY
              : fields(Schemas.builtIn().type(name).orElseThrow());
      case FieldType.ListOf(FieldType element) -> JsonArray.of(value(element), value(element));
      case FieldType.MapOf(FieldType element) ->
          new JsonObject.Builder()
              .put("key-" + next++, value(element))
              .put("schlüssel-" + next++, value(element))
              .build();
    };
  }

  private Object scalar(FieldType.Scalar type) {
    int n = next++;
    return switch (type) {
      case STRING -> n % 5 == 0 ? "überall 🛳 " + n : "text-" + n;
      case BYTES -> Base64.getEncoder().encodeToString(new byte[] {(byte) n, (byte) (n >> 8), -1});
      case INT32 -> (long) (n % 2 == 0 ? n : -n);
      case INT64 -> (1L << 40) + n;
      case NUMBER -> (long) n;
      case BOOLEAN -> true;
      case INT_OR_STRING -> n % 2 == 0 ? (Object) (long) n : n + "%";
      case QUANTITY -> n + "m";
      case TIME -> "2026-01-31T08:%02d:%02dZ".formatted(n / 60 % 60, n % 60);
      case MICRO_TIME -> "2026-01-31T08:00:00.%06dZ".formatted(n);
      case ANY -> JsonObject.of("any-" + n, JsonArray.of((long) n, "x", JsonObject.EMPTY));
    };
  }
}
