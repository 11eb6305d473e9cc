package dev.berth.model.schema;

/**
 * What Kubernetes' own types make of a field that has no value, or one that says no more than that:
 * 0, false, or an empty string, list, map or object. All that is stored has passed through them.
 */
public enum ZeroForm {
  /** A zero is left out. */
  OMITTED,
  /** A zero is a value of its own; without a value, the field is left out. */
  KEPT,
  /** The zero is written where there is no value. */
  WRITTEN,
  /** Null is written where there is no value, and in place of an empty list or map. */
  NULL
}
