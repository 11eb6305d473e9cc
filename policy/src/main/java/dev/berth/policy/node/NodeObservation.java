package dev.berth.policy.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was last observed of a node: soft state of whoever watches it, lost without harm.
 *
 * @param uid which node it was; another of the same name starts afresh
 * @param heard when its last sign of life was noticed, on the watcher's own clock
 * @param hadReady whether it had a Ready condition
 * @param readyHeartbeat the heartbeat time in that condition, on the node's clock
 * @param leaseRenewed the renew time of its lease, on the node's clock
 * @param podsMarked whether its pods were marked not ready since it was lost
 */
public record NodeObservation(
    String uid,
    Instant heard,
    boolean hadReady,
    @Nullable Instant readyHeartbeat,
    @Nullable Instant leaseRenewed,
    boolean podsMarked) {

  /**
   * The same, with a full grace period from now. When every zone was down, it was the watcher that
   * was cut off, and silence before its return says nothing about the nodes.
   */
  public NodeObservation heardAt(Instant now) {
    return new NodeObservation(uid, now, hadReady, readyHeartbeat, leaseRenewed, podsMarked);
  }
}
