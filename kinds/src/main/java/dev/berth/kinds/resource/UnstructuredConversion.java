package dev.berth.kinds.resource;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.model.schema.FieldType;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The scalars of a configuration that was merged into an object, as Kubernetes converts them into
 * its own types, and the words in which it refuses them. It reads them by other rules than those of
 * a body: a whole number may be written with a fraction, and one that is too large for its field is
 * cut to the field's width.
 */
final class UnstructuredConversion {
  private static final int LONGEST_QUANTITY = 100;

  private UnstructuredConversion() {}

  /**
   * The value as it is kept.
   *
   * @throws JsonException if it cannot be converted
   */
  static Object scalar(Object value, FieldType.Scalar type, FieldPath path) {
    return switch (type) {
      case INT32, INT64 -> integer(value, type, path);
      case INT_OR_STRING -> {
        if (value instanceof String || isInt32(value)) {
          yield value;
        }
        String found = value instanceof JsonNumber || value instanceof Long ? " " + value : "";
        throw refused(path, unmarshal(value) + found + " into Go value of type int32");
      }
      case TIME, MICRO_TIME -> {
        if (!(value instanceof String text)) {
          throw refused(path, unmarshal(value) + " into Go value of type string");
        }
        String problem = GoTimeLayout.problem(text, type == FieldType.Scalar.MICRO_TIME);
        if (problem != null) {
          throw refused(path, problem);
        }
        yield Conforming.scalar(value, type, path);
      }
      case QUANTITY -> Conforming.scalar(quantity(value, path), type, path);
      case BYTES -> {
        int corrupt = value instanceof String text ? corruptByte(text) : -1;
        if (corrupt >= 0) {
          throw refused(
              path, "error decoding from json: illegal base64 data at input byte " + corrupt);
        }
        yield Conforming.scalar(value, type, path);
      }
      case STRING, BOOLEAN, NUMBER, ANY -> Conforming.scalar(value, type, path);
    };
  }

  /** What is neither of what a schema's {@code additionalProperties} may be. */
  static JsonException notSchemaOrBoolean(FieldPath path) {
    return refused(path, "boolean or JSON schema expected");
  }

  /** What is no schema of a custom resource. */
  static JsonException notSchema(Object value, FieldPath path) {
    return refused(path, unmarshal(value) + " into Go value of type v1.JSONSchemaProps");
  }

  private static boolean isInt32(Object value) {
    return value instanceof Long number && number == number.intValue();
  }

  private static Object integer(Object value, FieldType.Scalar type, FieldPath path) {
    boolean narrow = type == FieldType.Scalar.INT32;
    if (value instanceof Long number) {
      return narrow && !isInt32(number) ? (Object) (long) number.intValue() : value;
    }
    if (value instanceof JsonNumber number) {
      double real = Double.parseDouble(number.toString());
      if (real != Math.rint(real) || Math.abs(real) >= 0x1p63) {
        throw refused(path, "cannot convert float64 to int" + (narrow ? "32" : "64"));
      }
      return integer((long) real, type, path);
    }
    return Conforming.scalar(value, type, path);
  }

  /** What is read as a quantity: the text of any scalar. */
  private static Object quantity(Object value, FieldPath path) {
    if (value instanceof Boolean flag) {
      return flag.toString();
    }
    if (value instanceof String text && text.length() > LONGEST_QUANTITY) {
      try {
        var _ = Quantity.fromTree(text.substring(0, LONGEST_QUANTITY));
      } catch (QuantityFormatException e) {
        throw refused(path, String.valueOf(e.getMessage()));
      }
    }
    return value;
  }

  private static String unmarshal(@Nullable Object value) {
    String kind =
        switch (value) {
          case Boolean _ -> "bool";
          case JsonArray _ -> "array";
          case JsonObject _ -> "object";
          case String _ -> "string";
          case null, default -> "number";
        };
    return "json: cannot unmarshal " + kind;
  }

  /** Where Go stops reading base64, line breaks aside; -1 if it does not. */
  static int corruptByte(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int inQuantum = 0;
    for (int i = 0; i < bytes.length; i++) {
      char character = (char) (bytes[i] & 0xff);
      if (character == '\n' || character == '\r') {
        continue;
      }
      if (character == '=') {
        return corruptPadding(bytes, i, inQuantum);
      }
      boolean known =
          (character >= 'A' && character <= 'Z')
              || (character >= 'a' && character <= 'z')
              || (character >= '0' && character <= '9')
              || character == '+'
              || character == '/';
      if (!known) {
        return i;
      }
      inQuantum = (inQuantum + 1) % 4;
    }
    return inQuantum == 0 ? -1 : bytes.length - inQuantum;
  }

  private static int corruptPadding(byte[] bytes, int at, int inQuantum) {
    if (inQuantum < 2) {
      return at;
    }
    int end = at + 1;
    if (inQuantum == 2) {
      if (end == bytes.length) {
        return bytes.length;
      }
      if (bytes[end] != '=') {
        return end;
      }
      end++;
    }
    return end < bytes.length ? end : -1;
  }

  private static JsonException refused(FieldPath path, String why) {
    return new JsonException(path + ": " + why);
  }
}
