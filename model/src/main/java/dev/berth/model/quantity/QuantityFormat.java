package dev.berth.model.quantity;

/** The family of suffixes a quantity was written with, and is written with again. */
public enum QuantityFormat {
  /** Powers of 1024: {@code 12Mi}. */
  BINARY_SI,
  /** Powers of 1000: {@code 12M}. */
  DECIMAL_SI,
  /** Powers of ten in figures: {@code 12e6}. */
  DECIMAL_EXPONENT
}
