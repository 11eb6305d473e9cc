package dev.berth.kinds.resource;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.TypeSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What Go calls the types of Kubernetes' fields. */
final class GoTypes {
  private GoTypes() {}

  /**
   * A field of a Go type.
   *
   * @param type empty where it follows from the schema
   * @param embedded the types between the field and the type that it is a field of
   */
  record GoField(String type, String embedded) {}

  private static final GoField PLAIN = new GoField("", "");

  /** Read when somebody has sent something unreadable. */
  private static final class Table {
    static final Map<String, GoField> FIELDS = read();
  }

  /** A type's own name, without its package. */
  static String name(TypeSchema type) {
    return type.name().substring(type.name().lastIndexOf('.') + 1);
  }

  static GoField field(TypeSchema type, FieldSchema field) {
    GoField known = Table.FIELDS.getOrDefault(type.name() + "." + field.name(), PLAIN);
    return known.type().isEmpty() ? new GoField(of(field.type()), known.embedded()) : known;
  }

  /** What a list or map of a Go type is made of. */
  static String element(String goType, FieldType element) {
    return goType.startsWith("[]")
        ? goType.substring(2)
        : goType.startsWith("map[") ? goType.substring(goType.indexOf(']') + 1) : of(element);
  }

  private static String of(FieldType type) {
    return switch (type) {
      case FieldType.Reference reference -> {
        String name = reference.type();
        int version = name.lastIndexOf('.', name.lastIndexOf('.') - 1);
        yield name.substring(version + 1);
      }
      case FieldType.ListOf list -> "[]" + of(list.element());
      case FieldType.MapOf map -> "map[string]" + of(map.value());
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case STRING -> "string";
            case BYTES -> "[]uint8";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case NUMBER -> "float64";
            case BOOLEAN -> "bool";
            case INT_OR_STRING -> "intstr.IntOrString";
            case QUANTITY -> "resource.Quantity";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case ANY -> "interface {}";
          };
    };
  }

  private static Map<String, GoField> read() {
    Map<String, GoField> fields = new HashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(GoTypes.class.getResourceAsStream("go-types.tsv")),
                StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .forEach(row -> fields.put(row[0] + "." + row[1], new GoField(row[2], row[3])));
      return fields;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
