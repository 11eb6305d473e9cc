package dev.berth.model.validation;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with one field, worded as Kubernetes words it: {@code
 * spec.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", …}.
 *
 * @param badValue what was found, of a type that a tree holds; null where naming it says nothing
 * @param detail what would be right; may be empty
 */
public record FieldError(FieldPath path, Kind kind, @Nullable Object badValue, String detail) {

  public FieldError {
    if (badValue != null) {
      JsonKind.of(badValue);
    }
  }

  /** What is wrong, with the words and the API's cause for it. */
  public enum Kind {
    REQUIRED("Required value", "FieldValueRequired"),
    INVALID("Invalid value", "FieldValueInvalid"),
    NOT_SUPPORTED("Unsupported value", "FieldValueNotSupported"),
    FORBIDDEN("Forbidden", "FieldValueForbidden"),
    DUPLICATE("Duplicate value", "FieldValueDuplicate");

    private final String words;
    private final String reason;

    Kind(String words, String reason) {
      this.words = words;
      this.reason = reason;
    }

    /** The reason of the cause in a Status. */
    public String reason() {
      return reason;
    }
  }

  public static FieldError required(FieldPath path, String detail) {
    return new FieldError(path, Kind.REQUIRED, null, detail);
  }

  public static FieldError invalid(FieldPath path, Object badValue, String detail) {
    return new FieldError(path, Kind.INVALID, badValue, detail);
  }

  public static FieldError notSupported(FieldPath path, Object badValue, List<String> supported) {
    String detail =
        supported.stream()
            .map(FieldError::quoted)
            .collect(Collectors.joining(", ", "supported values: ", ""));
    return new FieldError(path, Kind.NOT_SUPPORTED, badValue, detail);
  }

  public static FieldError forbidden(FieldPath path, String detail) {
    return new FieldError(path, Kind.FORBIDDEN, null, detail);
  }

  public static FieldError duplicate(FieldPath path, Object badValue, String detail) {
    return new FieldError(path, Kind.DUPLICATE, badValue, detail);
  }

  /** The message without the path, as the cause in a Status carries it. */
  public String body() {
    StringBuilder body = new StringBuilder(kind.words);
    if (badValue != null) {
      body.append(": ").append(quoted(badValue));
    }
    return detail.isEmpty() ? body.toString() : body.append(": ").append(detail).toString();
  }

  /** A value as JSON, so that a string is quoted and cannot be taken for the message itself. */
  private static String quoted(Object value) {
    return JsonWriter.toText(value);
  }

  @Override
  public String toString() {
    return path + ": " + body();
  }
}
