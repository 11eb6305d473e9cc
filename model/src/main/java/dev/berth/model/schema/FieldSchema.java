package dev.berth.model.schema;

/**
 * One field of a type.
 *
 * @param zero what becomes of it when it has no value, or a zero
 */
public record FieldSchema(
    String name, FieldType type, boolean required, Merging merging, ZeroForm zero) {

  /** A field that is stored as it is sent. */
  public FieldSchema(String name, FieldType type, boolean required, Merging merging) {
    this(name, type, required, merging, ZeroForm.KEPT);
  }
}
