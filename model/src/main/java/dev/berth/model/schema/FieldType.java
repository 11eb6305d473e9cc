package dev.berth.model.schema;

/** The type of a field's value. */
public sealed interface FieldType {

  /** A value that is no object with fields of its own. */
  enum Scalar implements FieldType {
    STRING,
    /** A string that is base64. */
    BYTES,
    INT32,
    INT64,
    /** A number with a fraction. */
    NUMBER,
    BOOLEAN,
    /** A number, or a string such as {@code 25%} or the name of a port. */
    INT_OR_STRING,
    /** A string or a number that {@link dev.berth.model.quantity.Quantity} reads. */
    QUANTITY,
    /** A string of RFC 3339, in seconds. */
    TIME,
    /** A string of RFC 3339, in microseconds. */
    MICRO_TIME,
    /** Any value at all. */
    ANY
  }

  /** An object of a type that has a schema of its own. */
  record Reference(String type) implements FieldType {}

  record ListOf(FieldType element) implements FieldType {}

  /** An object whose fields are named by the user, all with values of one type. */
  record MapOf(FieldType value) implements FieldType {}
}
