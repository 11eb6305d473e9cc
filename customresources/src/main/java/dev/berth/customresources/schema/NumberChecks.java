package dev.berth.customresources.schema;

import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What a schema demands of numbers. Integers are compared as integers, others as floating point
 * numbers; a bound that the type cannot hold is an error of its own, as upstream has it.
 */
record NumberChecks(
    @Nullable Double multipleOf,
    @Nullable Double maximum,
    boolean exclusiveMaximum,
    @Nullable Double minimum,
    boolean exclusiveMinimum,
    String type,
    String format) {

  private static final double LARGEST_FLOAT = Float.MAX_VALUE;

  /** An error with the value that it names, or none. */
  private record Found(Object value, String message) {}

  static NumberChecks of(StructuralSchema schema, String format) {
    JsonObject source = schema.source();
    String type = schema.isIntOrString() ? "" : schema.type();
    boolean numeric = type.equals("integer") || type.equals("number");
    return new NumberChecks(
        number(source, "multipleOf"),
        number(source, "maximum"),
        Boolean.TRUE.equals(source.get("exclusiveMaximum")),
        number(source, "minimum"),
        Boolean.TRUE.equals(source.get("exclusiveMinimum")),
        numeric ? type : "",
        numeric ? format : "");
  }

  static @Nullable Double number(JsonObject source, String field) {
    return switch (source.get(field)) {
      case Long whole -> (double) whole;
      case JsonNumber number -> number.approximate();
      case null, default -> null;
    };
  }

  void check(Object value, ValuePath at, Violations violations) {
    double number = value instanceof Long whole ? whole : ((JsonNumber) value).approximate();
    boolean whole = value instanceof Long;
    range(number, whole, "Checked", at, violations);
    if (multipleOf != null) {
      range(multipleOf, false, "MultipleOf", at, violations);
      Found found = multiple(number, whole, at);
      add(found, at, violations);
    }
    if (minimum != null) {
      range(minimum, false, "Minimum boundary", at, violations);
      double bound = whole ? (double) (long) (double) minimum : minimum;
      if (exclusiveMinimum ? number <= bound : number < bound) {
        String words = exclusiveMinimum ? "greater than " : "greater than or equal to ";
        add(new Found(value, should(at, words + GoNumbers.text(bound))), at, violations);
      }
    }
    if (maximum != null) {
      range(maximum, false, "Maximum boundary", at, violations);
      double bound = whole ? (double) (long) (double) maximum : maximum;
      if (exclusiveMaximum ? number >= bound : number > bound) {
        String words = exclusiveMaximum ? "less than " : "less than or equal to ";
        add(new Found(value, should(at, words + GoNumbers.text(bound))), at, violations);
      }
    }
    violations.matched();
  }

  private static void add(@Nullable Found found, ValuePath at, Violations violations) {
    if (found != null) {
      violations.invalid(at, found.value, found.message);
    }
  }

  private @Nullable Found multiple(double number, boolean whole, ValuePath at) {
    double given = multipleOf == null ? 1 : multipleOf;
    double factor = whole ? (double) (long) given : given;
    Object shown = whole ? (Object) (long) number : new JsonNumber(GoNumbers.text(number));
    if (factor <= 0) {
      return new Found(
          new JsonNumber(GoNumbers.text(factor)),
          "factor MultipleOf declared for %s must be positive: %s"
              .formatted(at, GoNumbers.text(factor)));
    }
    double times = factor < 1 ? 1 / factor * number : number / factor;
    boolean fits = whole ? (long) number % (long) factor == 0 : isWhole(times);
    return fits ? null : new Found(shown, should(at, "a multiple of " + GoNumbers.text(factor)));
  }

  private static String should(ValuePath at, String words) {
    return at + " in body should be " + words;
  }

  static boolean isWhole(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return false;
    }
    double nearest = Math.rint(number);
    double difference = Math.abs(number - nearest);
    return difference == 0 || difference < 1e-9 * Math.max(1, Math.abs(number));
  }

  private void range(
      double number, boolean whole, String what, ValuePath at, Violations violations) {
    boolean fits =
        switch (type) {
          case "integer" ->
              format.equals("int32")
                  ? number == Math.rint(number)
                      && number >= Integer.MIN_VALUE
                      && number <= Integer.MAX_VALUE
                  : whole
                      || (number == Math.rint(number)
                          && number >= Long.MIN_VALUE
                          && number <= Long.MAX_VALUE);
          default -> !format.equals("float") || Math.abs(number) <= LARGEST_FLOAT;
        };
    if (!fits) {
      violations.composite(
          "%s value must be of type %s %s in %s"
              .formatted(
                  what, type, format.isEmpty() ? "(default format)" : "with format " + format, at));
    }
  }
}
