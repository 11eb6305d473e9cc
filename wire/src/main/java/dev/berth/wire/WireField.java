package dev.berth.wire;

import org.jspecify.annotations.Nullable;

/** A field of a message: its number, its name in JSON, and what its bytes mean. */
final class WireField {
  /** How often the value occurs. */
  enum Shape {
    ONE,
    LIST,
    /** Entries with a string as their key. */
    MAP
  }

  /** What a value is in both forms. */
  enum Form {
    STRING,
    BOOL,
    INT32,
    INT64,
    DOUBLE,
    /** Base64 in JSON. */
    BYTES,
    MESSAGE,
    /** A message whose fields JSON has in the object around it. */
    INLINE,
    /** A message around the text. */
    QUANTITY,
    /** A message of seconds and nanoseconds, RFC 3339 in JSON. */
    TIME,
    MICRO_TIME,
    INT_OR_STRING,
    /** A message around JSON. */
    JSON,
    /** A message around strings, an array in JSON. */
    STRINGS,
    SCHEMA_OR_ARRAY,
    SCHEMA_OR_BOOL,
    SCHEMA_OR_STRINGS
  }

  final int number;
  final String name;
  final Shape shape;
  final Form form;

  /** Whether a zero stands for nothing and is not in JSON. */
  final boolean dropsZero;

  /** The name of the message, empty for other forms. */
  private final String messageName;

  private @Nullable WireMessage message;

  /**
   * Where a decoder keeps the value among those of its object; of an inlined message, its first.
   */
  int slot;

  private WireField(
      int number, String name, Shape shape, Form form, boolean dropsZero, String messageName) {
    this.number = number;
    this.name = name;
    this.shape = shape;
    this.form = form;
    this.dropsZero = dropsZero;
    this.messageName = messageName;
  }

  /** Reads a type as the generator of the table writes it. */
  static WireField parse(int number, String name, String type) {
    Shape shape =
        type.startsWith("[]") ? Shape.LIST : type.startsWith("{}") ? Shape.MAP : Shape.ONE;
    String element = shape == Shape.ONE ? type : type.substring(2);
    boolean dropsZero = element.endsWith("?");
    String word = dropsZero ? element.substring(0, element.length() - 1) : element;
    Form form =
        switch (word) {
          case "string" -> Form.STRING;
          case "bool" -> Form.BOOL;
          case "int32" -> Form.INT32;
          case "int64" -> Form.INT64;
          case "double" -> Form.DOUBLE;
          case "bytes" -> Form.BYTES;
          case "quantity" -> Form.QUANTITY;
          case "time" -> Form.TIME;
          case "microTime" -> Form.MICRO_TIME;
          case "intOrString" -> Form.INT_OR_STRING;
          case "json" -> Form.JSON;
          case "strings" -> Form.STRINGS;
          case "schemaOrArray" -> Form.SCHEMA_OR_ARRAY;
          case "schemaOrBool" -> Form.SCHEMA_OR_BOOL;
          case "schemaOrStrings" -> Form.SCHEMA_OR_STRINGS;
          default -> word.startsWith("^") ? Form.INLINE : Form.MESSAGE;
        };
    boolean named = form == Form.MESSAGE || form == Form.INLINE;
    return new WireField(number, name, shape, form, dropsZero, named ? word.substring(1) : "");
  }

  void link(WireTypes types) {
    switch (form) {
      case MESSAGE, INLINE -> message = types.get(messageName);
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS ->
          message = types.get(WireTypes.JSON_SCHEMA);
      default -> {}
    }
  }

  /** The message of a field that holds one. */
  WireMessage message() {
    if (message == null) {
      throw new IllegalStateException("The field " + name + " holds no message.");
    }
    return message;
  }
}
