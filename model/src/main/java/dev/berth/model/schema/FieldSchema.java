package dev.berth.model.schema;

/** One field of a type. */
public record FieldSchema(String name, FieldType type, boolean required, Merging merging) {}
