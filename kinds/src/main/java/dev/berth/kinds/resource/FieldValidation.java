package dev.berth.kinds.resource;

/** What to do about fields that no schema knows; in any case they are dropped. */
public enum FieldValidation {
  IGNORE,
  WARN,
  STRICT
}
