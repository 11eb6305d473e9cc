package dev.berth.kinds.admissionregistration;

import dev.berth.cel.schema.FieldNames;
import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of built-in kinds as expressions know them; a field's is found when it is named. */
final class BuiltInTypes {
  private final Schemas schemas;

  BuiltInTypes(Schemas schemas) {
    this.schemas = schemas;
  }

  Optional<CelType> kind(GroupVersionKind kind) {
    return schemas.kind(kind).map(type -> struct(type, kind.kind()));
  }

  private CelType struct(TypeSchema type, String name) {
    return CelType.struct(name, field -> field(type, name, field));
  }

  private @Nullable CelField field(TypeSchema type, String name, String field) {
    String property = FieldNames.unescape(field).orElse(field);
    return type.field(property)
        .map(schema -> new CelField(property, type(schema.type(), name + "." + field)))
        .orElse(null);
  }

  private CelType type(FieldType type, String name) {
    return switch (type) {
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case STRING -> CelType.STRING;
            case BYTES -> CelType.BYTES;
            case INT32, INT64 -> CelType.INT;
            case NUMBER -> CelType.DOUBLE;
            case BOOLEAN -> CelType.BOOL;
            case TIME, MICRO_TIME -> CelType.TIMESTAMP;
            case INT_OR_STRING, QUANTITY, ANY -> CelType.DYN;
          };
      case FieldType.Reference(String of) ->
          schemas.type(of).map(schema -> struct(schema, name)).orElse(CelType.DYN);
      case FieldType.ListOf(FieldType element) -> CelType.list(type(element, name + ".@idx"));
      case FieldType.MapOf(FieldType value) ->
          CelType.map(CelType.STRING, type(value, name + ".@elem"));
    };
  }
}
