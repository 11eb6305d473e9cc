package dev.berth.model.resource;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one field of an object, worded as Kubernetes words it.
 *
 * @param field where, such as {@code spec.containers[0].name}
 * @param value what was found there, a value of a tree; null where that says nothing
 */
public record FieldError(Reason reason, String field, @Nullable Object value, String detail) {

  /**
   * How many of an object's errors its writer is told. Kubernetes tells all, which makes an answer
   * many times as large as the object.
   */
  public static final int MOST_SHOWN = 500;

  /** How much of a value is shown, in characters; a template that may not change is shown whole. */
  private static final int LONGEST_SHOWN = 64 * 1024;

  /** The reasons, with their names in a {@code Status} and their words in its message. */
  public enum Reason {
    REQUIRED("FieldValueRequired", "Required value"),
    INVALID("FieldValueInvalid", "Invalid value"),
    TYPE_INVALID("FieldValueTypeInvalid", "Invalid value"),
    NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
    FORBIDDEN("FieldValueForbidden", "Forbidden"),
    DUPLICATE("FieldValueDuplicate", "Duplicate value"),
    TOO_LONG("FieldValueTooLong", "Too long"),
    TOO_MANY("FieldValueTooMany", "Too many"),
    NOT_FOUND("FieldValueNotFound", "Not found"),
    INTERNAL("InternalError", "Internal error");

    private final String cause;
    private final String words;

    Reason(String cause, String words) {
      this.cause = cause;
      this.words = words;
    }

    /** The reason of a cause in the details of a {@code Status}. */
    public String cause() {
      return cause;
    }
  }

  public static FieldError required(String field, String detail) {
    return new FieldError(Reason.REQUIRED, field, null, detail);
  }

  public static FieldError invalid(String field, Object value, String detail) {
    return new FieldError(Reason.INVALID, field, value, detail);
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError(Reason.FORBIDDEN, field, null, detail);
  }

  public static FieldError duplicate(String field, Object value) {
    return new FieldError(Reason.DUPLICATE, field, value, "");
  }

  public static FieldError notSupported(String field, Object value, Collection<String> supported) {
    String detail =
        supported.stream()
            .map(name -> '"' + name + '"')
            .collect(Collectors.joining(", ", "supported values: ", ""));
    return new FieldError(Reason.NOT_SUPPORTED, field, value, detail);
  }

  public static FieldError tooLong(String field, long most) {
    return new FieldError(Reason.TOO_LONG, field, null, "may not be more than " + most + " bytes");
  }

  public static FieldError tooMany(String field, long count, long most) {
    return new FieldError(Reason.TOO_MANY, field, count, "must have at most " + most + " items");
  }

  /** Several errors as one text, as Kubernetes lists them: each once, the first of very many. */
  public static String join(List<FieldError> errors) {
    List<String> texts =
        errors.stream().limit(MOST_SHOWN).map(FieldError::toString).distinct().toList();
    boolean more = errors.size() > MOST_SHOWN;
    return texts.size() == 1 && !more
        ? texts.getFirst()
        : texts.stream().collect(Collectors.joining(", ", "[", more ? ", and more]" : "]"));
  }

  /** The message without the field: {@code Invalid value: "a_b": must consist of …}. */
  public String body() {
    String text = value == null ? "" : ": " + ShownValue.of(field, value);
    String shown = text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
    return reason.words + shown + (detail.isEmpty() ? "" : ": " + detail);
  }

  @Override
  public String toString() {
    return field + ": " + body();
  }
}
