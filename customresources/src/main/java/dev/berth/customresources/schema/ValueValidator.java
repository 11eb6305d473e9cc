package dev.berth.customresources.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.FieldError.Reason;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Validates values by a schema, with the words of upstream's validator, and in its order: type,
 * combinations of schemas, string, format, number, array, enumeration, object.
 *
 * <p>A value that replaces another is let through where it is the same as before, however wrong it
 * is: fields are compared with the field of the old object, elements of lists that are maps with
 * the element that has the same keys, and elements of other lists with nothing.
 *
 * <p>Made once of a schema, and safe to use from any thread.
 */
public final class ValueValidator {
  private static final List<String> INT_OR_STRING = List.of("integer", "string");

  private final StructuralSchema schema;
  private final List<String> types;
  private final String format;
  private final @Nullable Predicate<String> formatCheck;
  private final @Nullable Long maxLength;
  private final @Nullable Long minLength;
  private final String pattern;
  private final @Nullable Pattern compiled;
  private final NumberChecks numbers;
  private final List<Object> enumeration;
  private final Combinations combinations;
  private final @Nullable Long maxItems;
  private final @Nullable Long minItems;
  private final boolean uniqueItems;
  private final @Nullable ValueValidator items;
  private final Map<String, ValueValidator> properties;
  private final @Nullable ValueValidator additional;
  private final boolean forbidsOthers;
  private final List<String> required;
  private final @Nullable Long maxProperties;
  private final @Nullable Long minProperties;

  private ValueValidator(StructuralSchema schema) {
    this.schema = schema;
    JsonObject source = schema.source();
    types =
        schema.isIntOrString()
            ? INT_OR_STRING
            : schema.type().isEmpty() ? List.of() : List.of(schema.type());
    format = checkedFormat(schema, types);
    formatCheck = Formats.of(format).orElse(null);
    maxLength = limit(source, "maxLength");
    minLength = limit(source, "minLength");
    pattern = schema.text("pattern");
    compiled = compile(pattern);
    numbers = NumberChecks.of(schema, format);
    enumeration =
        source.get("enum") instanceof JsonArray values ? List.copyOf(values.values()) : List.of();
    combinations =
        new Combinations(
            all(schema, "allOf"),
            all(schema, "oneOf"),
            all(schema, "anyOf"),
            source.get("not") instanceof JsonObject not ? of(StructuralSchema.of(not)) : null);
    maxItems = limit(source, "maxItems");
    minItems = limit(source, "minItems");
    uniqueItems = Boolean.TRUE.equals(source.get("uniqueItems"));
    items = schema.items() == null ? null : of(schema.items());
    properties = LinkedHashMap.newLinkedHashMap(schema.properties().size());
    schema.properties().forEach((name, property) -> properties.put(name, of(property)));
    additional = schema.additional() == null ? null : of(schema.additional());
    forbidsOthers = Boolean.FALSE.equals(source.get("additionalProperties"));
    required = schema.required();
    maxProperties = limit(source, "maxProperties");
    minProperties = limit(source, "minProperties");
  }

  /** The validator of a schema, made when it is first asked for. */
  public static ValueValidator of(StructuralSchema schema) {
    return schema.view(ValueValidator.class, ValueValidator::new);
  }

  private static List<ValueValidator> all(StructuralSchema schema, String field) {
    return schema.all(field).stream().map(ValueValidator::of).toList();
  }

  private static @Nullable Long limit(JsonObject source, String field) {
    return source.get(field) instanceof Long number ? number : null;
  }

  private static @Nullable Pattern compile(String expression) {
    try {
      return expression.isEmpty() ? null : Pattern.compile(expression);
    } catch (PatternSyntaxException _) {
      return null;
    }
  }

  /** The format, if it is one that is checked for the type. */
  private static String checkedFormat(StructuralSchema schema, List<String> types) {
    String format = schema.text("format");
    boolean checked =
        switch (types.size() == 1 ? types.getFirst() : "") {
          case "", "string" -> Formats.of(format).isPresent();
          case "integer" -> format.equals("int32") || format.equals("int64");
          case "number" -> format.equals("float") || format.equals("double");
          default -> false;
        };
    return checked ? format : "";
  }

  /** What is wrong with a value. */
  public List<FieldError> validate(Object value) {
    return validate(value, null, ValuePath.ROOT).errors();
  }

  /** The same of a value that replaces another. */
  public List<FieldError> validate(Object value, @Nullable Object old) {
    return validate(value, old, ValuePath.ROOT).errors();
  }

  /**
   * The same, where the value is a part of an object.
   *
   * @param part the name of the field, which upstream puts before the field but not into the words
   */
  public List<FieldError> validatePart(String part, Object value, @Nullable Object old) {
    List<FieldError> errors = new ArrayList<>();
    for (FieldError error : validate(value, old)) {
      String field = error.field().equals(Violations.NO_FIELD) ? part : part + "." + error.field();
      errors.add(new FieldError(error.reason(), field, error.value(), error.detail()));
    }
    return errors;
  }

  /** Where there is nothing old to compare with, that is null. */
  Violations validate(Object value, @Nullable Object old, ValuePath at) {
    Violations found = check(value, old, at);
    if (!found.isEmpty() && old != null && old.equals(value)) {
      Violations forgiven = new Violations();
      forgiven.mergeMatches(found);
      return forgiven;
    }
    return found;
  }

  /** The same, whatever was there before; what is inside is compared all the same. */
  Violations check(Object value, @Nullable Object old, ValuePath at) {
    Violations violations = new Violations();
    if (value instanceof JsonNull) {
      type(value, at, violations);
      enumeration(value, at, violations);
      return violations;
    }
    if (!types.isEmpty() || !format.isEmpty()) {
      type(value, at, violations);
      violations.matched();
    }
    combinations.check(value, old, at, violations);
    violations.matched();
    switch (value) {
      case String text -> {
        string(text, at, violations);
        violations.matched();
        if (formatCheck != null) {
          if (!formatCheck.test(text)) {
            wrongType(at, format, text, violations);
          }
          violations.matched();
        }
      }
      case Long number -> {
        numbers.check(number, at, violations);
        violations.matched();
      }
      case JsonNumber number -> {
        numbers.check(number, at, violations);
        violations.matched();
      }
      case JsonArray array -> {
        array(array, old, at, violations);
        violations.matched();
      }
      default -> {}
    }
    enumeration(value, at, violations);
    violations.matched();
    if (value instanceof JsonObject object) {
      object(object, old, at, violations);
      violations.matched();
    }
    violations.matched();
    return violations;
  }

  private void type(Object value, ValuePath at, Violations violations) {
    if (value instanceof JsonNull) {
      if (!types.isEmpty() && !types.contains("null") && !schema.isNullable()) {
        wrongType(at, String.join(",", types), "null", violations);
      } else {
        violations.matched();
      }
      return;
    }
    String found = typeOf(value);
    boolean fits =
        types.contains(found)
            || (value instanceof JsonNumber number
                && types.contains("integer")
                && NumberChecks.isWhole(number.approximate()))
            || (value instanceof Long && types.contains("number"));
    boolean hasLength = value instanceof String || value instanceof JsonArray;
    if (!hasLength && !format.isEmpty() && !fits) {
      String own = value instanceof Long ? "int64" : value instanceof JsonNumber ? "float64" : "";
      wrongType(at, format, own, violations);
      return;
    }
    boolean numeric = types.contains("number") || types.contains("integer");
    if (!fits && !(hasLength && !format.isEmpty() && !numeric)) {
      wrongType(at, String.join(",", types), found, violations);
      return;
    }
    violations.matched();
  }

  private static String typeOf(Object value) {
    return switch (value) {
      case Boolean _ -> "boolean";
      case String _ -> "string";
      case Long _ -> "integer";
      case JsonNumber _ -> "number";
      case JsonArray _ -> "array";
      default -> "object";
    };
  }

  private static void wrongType(
      ValuePath at, String expected, String found, Violations violations) {
    violations.add(
        at,
        Reason.TYPE_INVALID,
        found,
        "%s in body must be of type %s: %s".formatted(at, expected, JsonWriter.toText(found)));
  }

  private void string(String text, ValuePath at, Violations violations) {
    long length = text.codePointCount(0, text.length());
    if (maxLength != null && length > maxLength) {
      violations.add(
          at,
          Reason.TOO_LONG,
          null,
          "may not be more than " + maxLength + (maxLength == 1 ? " byte" : " bytes"));
    } else if (minLength != null && length < minLength) {
      violations.invalid(
          at, text, "%s in body should be at least %d chars long".formatted(at, minLength));
    } else if (!pattern.isEmpty() && (compiled == null || !compiled.matcher(text).find())) {
      violations.invalid(at, text, "%s in body should match '%s'".formatted(at, pattern));
    }
  }

  private void enumeration(Object value, ValuePath at, Violations violations) {
    if (enumeration.isEmpty()) {
      return;
    }
    for (Object allowed : enumeration) {
      if (!(value instanceof JsonNull)
          && GoNumbers.canonical(allowed).equals(GoNumbers.canonical(value))) {
        return;
      }
    }
    List<String> texts =
        enumeration.stream()
            .map(allowed -> allowed instanceof String text ? text : JsonWriter.toText(allowed))
            .toList();
    String field = at.toString();
    violations.add(
        FieldError.notSupported(field.isEmpty() ? Violations.NO_FIELD : field, value, texts));
  }

  private void array(JsonArray array, @Nullable Object old, ValuePath at, Violations violations) {
    if (items != null) {
      Map<JsonObject, Object> earlier = earlierByKey(old);
      for (int i = 0; i < array.size(); i++) {
        Object value = array.get(i);
        Object before = earlier.isEmpty() ? null : earlier.get(key(value));
        violations.merge(items.validate(value, before, at.element(i)));
      }
    }
    long size = array.size();
    if (minItems != null && size < minItems) {
      violations.invalid(
          at, size, "%s in body should have at least %d items".formatted(at, minItems));
    }
    if (maxItems != null && size > maxItems) {
      tooMany(at, size, maxItems, violations);
    }
    if (uniqueItems && array.values().stream().distinct().count() < size) {
      violations.invalid(at, "", "%s in body shouldn't contain duplicates".formatted(at));
    }
    violations.matched();
  }

  private static void tooMany(ValuePath at, long size, long most, Violations violations) {
    violations.add(
        at, Reason.TOO_MANY, size, "must have at most " + most + (most == 1 ? " item" : " items"));
  }

  /** The elements of an old list that is a map. */
  private Map<JsonObject, Object> earlierByKey(@Nullable Object old) {
    if (!(old instanceof JsonArray array) || !schema.listType().equals("map")) {
      return Map.of();
    }
    Map<JsonObject, Object> elements = new HashMap<>();
    array.values().forEach(element -> elements.putIfAbsent(key(element), element));
    return elements;
  }

  private JsonObject key(Object element) {
    JsonObject key = JsonObject.EMPTY;
    for (String name : schema.listMapKeys()) {
      Object value = element instanceof JsonObject object ? object.get(name) : null;
      key = value == null ? key : key.with(name, value);
    }
    return key;
  }

  private void object(
      JsonObject object, @Nullable Object old, ValuePath at, Violations violations) {
    long size = object.size();
    if (minProperties != null && size < minProperties) {
      violations.invalid(
          at, size, "%s in body should have at least %d properties".formatted(at, minProperties));
    }
    if (maxProperties != null && size > maxProperties) {
      tooMany(at, size, maxProperties, violations);
    }
    JsonObject before = old instanceof JsonObject earlier ? earlier : JsonObject.EMPTY;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      ValueValidator own = properties.get(name);
      if (own == null && forbidsOthers) {
        violations.invalid(at, name, "%s.%s in body is a forbidden property".formatted(at, name));
      }
      ValueValidator validator = own == null && !forbidsOthers ? additional : own;
      if (validator != null) {
        violations.merge(
            validator.validate(object.value(i), earlier(before, name, at), at.field(name)));
      }
    }
    for (String name : required) {
      if (!object.has(name)) {
        violations.add(at.field(name), Reason.REQUIRED, null, "");
      }
    }
  }

  /** Kind and version of the whole object were converted, and are not what they were. */
  private static @Nullable Object earlier(JsonObject before, String name, ValuePath at) {
    boolean root = at.parent() == null;
    return root && (name.equals("kind") || name.equals("apiVersion")) ? null : before.get(name);
  }

  /** What is wrong with a regular expression, in RE2's words; mostly nothing. */
  public static Optional<String> patternProblem(String expression) {
    try {
      var _ = Pattern.compile(expression);
      return Optional.empty();
    } catch (PatternSyntaxException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
