package dev.berth.cel.check;

/** The least and the most elements, entries or characters that a value has, unsigned. */
public record SizeEstimate(long min, long max) {
  static final SizeEstimate UNKNOWN = new SizeEstimate(0, -1L);
  static final SizeEstimate ONE = new SizeEstimate(1, 1);

  static SizeEstimate fixed(long size) {
    return new SizeEstimate(size, size);
  }

  SizeEstimate plus(SizeEstimate other) {
    return new SizeEstimate(Unsigned.add(min, other.min), Unsigned.add(max, other.max));
  }

  SizeEstimate times(SizeEstimate other) {
    return new SizeEstimate(Unsigned.multiply(min, other.min), Unsigned.multiply(max, other.max));
  }

  CostEstimate times(double factor) {
    return new CostEstimate(Unsigned.scale(min, factor), Unsigned.scale(max, factor));
  }

  CostEstimate times(CostEstimate cost) {
    return new CostEstimate(Unsigned.multiply(min, cost.min()), Unsigned.multiply(max, cost.max()));
  }

  SizeEstimate union(SizeEstimate other) {
    return new SizeEstimate(Unsigned.min(min, other.min), Unsigned.max(max, other.max));
  }
}
