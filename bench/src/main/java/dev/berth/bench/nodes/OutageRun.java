package dev.berth.bench.nodes;

/** A zone of a cluster on virtual time that goes silent, until its last pod is evicted. */
final class OutageRun {

  double run() {
    return Double.NaN;
  }
}
