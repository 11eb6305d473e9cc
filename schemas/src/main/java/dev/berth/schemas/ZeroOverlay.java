package dev.berth.schemas;

import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.FieldType.Scalar;
import dev.berth.model.schema.ZeroForm;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What becomes of a field without a value, or with a zero, which no artifact says: a table of type,
 * field, and {@link ZeroForm}, for those fields that do not have what is usual.
 *
 * <p>It shows in JSON, where Kubernetes' own programs leave most zeros out and write some, and in
 * protobuf, where they write the zeros of all fields that are not pointers: whoever turns that into
 * JSON must leave them out.
 */
final class ZeroOverlay {
  private final Map<String, ZeroForm> forms = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  ZeroOverlay(List<String> lines) {
    for (String line : lines) {
      if (!line.startsWith("#")) {
        String[] cells = line.split("\t", -1);
        if (cells.length != 3) {
          throw new IllegalArgumentException("expected a type, a field, and a form: " + line);
        }
        if (forms.put(cells[0] + " " + cells[1], form(cells[2])) != null) {
          throw new IllegalArgumentException("a row occurs twice: " + line);
        }
      }
    }
  }

  private static ZeroForm form(String name) {
    try {
      return ZeroForm.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected kept, omitted, written or null, found " + name, e);
    }
  }

  /** What becomes of the zero of a field. */
  ZeroForm form(String type, String field, FieldType fieldType, boolean required) {
    String key = type + " " + field;
    used.add(key);
    return forms.getOrDefault(key, usual(field, fieldType, required));
  }

  private static ZeroForm usual(String field, FieldType type, boolean required) {
    if (required || field.equals("metadata")) {
      return isNullable(type) ? ZeroForm.NULL : ZeroForm.WRITTEN;
    }
    return switch (type) {
      case FieldType.ListOf _, FieldType.MapOf _ -> ZeroForm.OMITTED;
      case FieldType.Reference _ -> ZeroForm.KEPT;
      case Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES, INT32, INT64, NUMBER, BOOLEAN -> ZeroForm.OMITTED;
            case INT_OR_STRING, QUANTITY, TIME, MICRO_TIME, ANY -> ZeroForm.KEPT;
          };
    };
  }

  /** Whether the zero is null. */
  private static boolean isNullable(FieldType type) {
    return switch (type) {
      case FieldType.ListOf _, FieldType.MapOf _ -> true;
      case FieldType.Reference _ -> false;
      case Scalar scalar ->
          switch (scalar) {
            case BYTES, TIME, MICRO_TIME, ANY -> true;
            case STRING, INT32, INT64, NUMBER, BOOLEAN, INT_OR_STRING, QUANTITY -> false;
          };
    };
  }

  /** Whether the zero of a field is a value of its own when it comes in protobuf. */
  boolean keeps(String type, String field, boolean required) {
    String key = type + " " + field;
    used.add(key);
    ZeroForm form = forms.get(key);
    return form == null ? required : form != ZeroForm.OMITTED;
  }

  /** The rows that were never asked for. */
  List<String> unused() {
    return forms.keySet().stream().filter(row -> !used.contains(row)).sorted().toList();
  }
}
