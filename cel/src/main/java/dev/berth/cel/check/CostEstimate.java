package dev.berth.cel.check;

/** The least and the most that something costs, unsigned; what would overflow stays at the most. */
public record CostEstimate(long min, long max) {
  static final CostEstimate ZERO = new CostEstimate(0, 0);
  static final CostEstimate ONE = new CostEstimate(1, 1);

  static CostEstimate fixed(long cost) {
    return new CostEstimate(cost, cost);
  }

  CostEstimate plus(CostEstimate other) {
    return new CostEstimate(Unsigned.add(min, other.min), Unsigned.add(max, other.max));
  }

  CostEstimate times(CostEstimate other) {
    return new CostEstimate(Unsigned.multiply(min, other.min), Unsigned.multiply(max, other.max));
  }

  CostEstimate times(double factor) {
    return new CostEstimate(Unsigned.scale(min, factor), Unsigned.scale(max, factor));
  }

  CostEstimate union(CostEstimate other) {
    return new CostEstimate(Unsigned.min(min, other.min), Unsigned.max(max, other.max));
  }
}
