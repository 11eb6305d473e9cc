package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was last observed of a node: soft state of whoever watches it, lost without harm.
 *
 * <p>A node gives signs of life in two ways: it renews its lease, and it posts its status. Both
 * carry times of the node's own clock, and those are only ever compared for being different from
 * last time. How long ago that was is measured on the watcher's clock alone. So a node whose clock
 * is wrong, or is set back, does no harm; upstream misses the renewals of a clock that was set
 * back.
 *
 * @param uid which node it was; another of the same name starts afresh
 * @param heard when its last sign of life was noticed, on the watcher's clock
 * @param readyHeartbeat the last heartbeat time seen in its Ready condition, on the node's clock
 * @param leaseRenewed the last renew time seen of its lease, on the node's clock
 * @param podsMarked whether its pods were marked not ready since it was lost
 */
public record NodeObservation(
    String uid,
    Instant heard,
    @Nullable Instant readyHeartbeat,
    @Nullable Instant leaseRenewed,
    boolean podsMarked) {

  /** What is observed now, after what was observed last. */
  static NodeObservation of(
      NodeView node, @Nullable Instant leaseRenewed, @Nullable NodeObservation last, Instant now) {
    Instant heartbeat =
        node.condition(Condition.READY).map(Condition::lastHeartbeatTime).orElse(null);
    if (last == null || !last.uid.equals(node.uid())) {
      return new NodeObservation(
          node.uid(), firstHeard(node, leaseRenewed, now), heartbeat, leaseRenewed, false);
    }
    boolean renewed = leaseRenewed != null && !leaseRenewed.equals(last.leaseRenewed);
    boolean posted = heartbeat != null && !heartbeat.equals(last.readyHeartbeat);
    return new NodeObservation(
        last.uid,
        renewed || posted ? now : last.heard,
        heartbeat == null ? last.readyHeartbeat : heartbeat,
        leaseRenewed == null ? last.leaseRenewed : leaseRenewed,
        last.podsMarked);
  }

  /**
   * A node that is seen for the first time was heard of just now. If it has never posted a status
   * nor taken a lease, it was last heard of when it was created, however late that is noticed.
   */
  private static Instant firstHeard(NodeView node, @Nullable Instant leaseRenewed, Instant now) {
    Instant created = node.creationTimestamp();
    boolean silent = leaseRenewed == null && node.condition(Condition.READY).isEmpty();
    return silent && created != null && created.isBefore(now) ? created : now;
  }

  /** The same, after what the watcher itself has written to the node. */
  NodeObservation afterWriting(@Nullable Instant heartbeat, boolean marked) {
    return new NodeObservation(
        uid, heard, heartbeat == null ? readyHeartbeat : heartbeat, leaseRenewed, marked);
  }

  /**
   * The same, with a full grace period from now. When every zone was down, it was the watcher that
   * was cut off, and silence before its return says nothing about the nodes.
   */
  public NodeObservation heardAt(Instant now) {
    return new NodeObservation(uid, now, readyHeartbeat, leaseRenewed, podsMarked);
  }
}
