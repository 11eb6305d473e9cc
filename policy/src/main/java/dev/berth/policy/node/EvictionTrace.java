package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * What a node tells somebody who was not there of when it was emptied, so that the pace of its zone
 * goes on after a restart.
 *
 * <ol>
 *   <li>A node that has a NoExecute taint for its problems got it at the taint's {@code timeAdded}.
 *   <li>A node that is ready had such a taint at the latest when it became so, if it ever had one:
 *       its taint went with its cause.
 *   <li>Any other node was not emptied.
 * </ol>
 *
 * <p>All of these are in whole seconds; see {@link EvictionPace#found}.
 */
public final class EvictionTrace {
  private EvictionTrace() {}

  /** When a node that is being emptied got its taint; empty if it is not being emptied. */
  public static Optional<Instant> ofTaint(NodeView node) {
    return node.taints().stream()
        .filter(NodeTaints::isEvicting)
        .map(Taint::timeAdded)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder());
  }

  /** The latest time at which a node may have got its taint, for somebody who begins. */
  public static Optional<Instant> of(NodeView node) {
    Optional<Instant> tainted = ofTaint(node);
    return tainted.isPresent() || !node.ready()
        ? tainted
        : node.condition(Condition.READY).map(Condition::lastTransitionTime);
  }
}
