package dev.berth.serving.openapi;

import dev.berth.model.schema.FieldType.Scalar;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/**
 * Values that are scalars to us but types with a name and a description in OpenAPI. Clients know
 * some of them by that name.
 */
enum WellKnownTypes {
  INT_OR_STRING(
      Scalar.INT_OR_STRING,
      "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
      "A number, or a string: a percentage such as 25%, or the name of a port.",
      "int-or-string"),
  QUANTITY(
      Scalar.QUANTITY,
      "io.k8s.apimachinery.pkg.api.resource.Quantity",
      "A fixed-point number with a suffix: of ten (n, u, m, k, M, G, T, P, E), of two (Ki, Mi, Gi,"
          + " Ti, Pi, Ei), or an exponent (e3). 100m is a tenth, 1Gi is 1073741824.",
      ""),
  TIME(
      Scalar.TIME,
      "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
      "A time of RFC 3339, in seconds.",
      "date-time"),
  MICRO_TIME(
      Scalar.MICRO_TIME,
      "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
      "A time of RFC 3339, in microseconds.",
      "date-time");

  private final Scalar scalar;
  private final String type;
  private final String description;
  private final String format;

  WellKnownTypes(Scalar scalar, String type, String description, String format) {
    this.scalar = scalar;
    this.type = type;
    this.description = description;
    this.format = format;
  }

  static Optional<WellKnownTypes> of(Scalar scalar) {
    for (WellKnownTypes known : values()) {
      if (known.scalar == scalar) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }

  String type() {
    return type;
  }

  JsonObject definition(Dialect dialect) {
    JsonObject.Builder schema = new JsonObject.Builder().put("description", description);
    if (!format.isEmpty()) {
      schema.put("format", format);
    }
    boolean either = this == INT_OR_STRING || this == QUANTITY;
    if (either && dialect == Dialect.V3) {
      String number = this == QUANTITY ? "number" : "integer";
      return schema
          .put(
              "oneOf", JsonArray.of(JsonObject.of("type", number), JsonObject.of("type", "string")))
          .build();
    }
    return schema.put("type", "string").build();
  }
}
