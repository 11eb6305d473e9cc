package dev.berth.sim.explain;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A way to overcome one refusal of one node, worked out only if it is to be tried.
 *
 * @param kind see {@link Change#kind}
 * @param cost less is better, among fixes of a kind
 * @param change empty if it turns out that nothing helps
 */
record NodeFix(String kind, double cost, Supplier<Optional<Change>> change) {
  static NodeFix of(Change change, double cost) {
    return new NodeFix(change.kind(), cost, () -> Optional.of(change));
  }
}
