package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.policy.taint.CountdownStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was last observed of a node: soft state of whoever watches it, lost without harm.
 *
 * <p>A node gives signs of life in two ways: it renews its lease, and it posts its status. Both
 * carry times of the node's own clock, and those are only ever compared for being different from
 * last time; a lease's renew time is not even read. How long ago that was is measured on the
 * watcher's clock alone. So a node whose clock is wrong, or is set back, does no harm; upstream
 * misses the renewals of a clock that was set back.
 *
 * <p>What the watcher finds when it starts, or when it was cut off, may be out of date. A node that
 * was just lost then has a grace period to say otherwise before it is emptied. It begins when the
 * node was found to be lost, as its condition says: if it began with every start, a watcher that
 * crashes often would never empty anything.
 *
 * @param heard when its last sign of life was noticed, on the watcher's monotonic clock
 * @param readyHeartbeat the last heartbeat time seen in its Ready condition, on the node's clock
 * @param leaseRenewed the last renew time seen of its lease, as the lease writes it
 * @param evictableFrom no NoExecute taint is asked for before this; null if there is no such bound
 * @param podsMarked the status of its Ready condition for which its pods were last marked not
 *     ready; null if they were not, since it was ready
 */
public record NodeObservation(
    Instant heard,
    @Nullable Instant readyHeartbeat,
    @Nullable String leaseRenewed,
    @Nullable Instant evictableFrom,
    @Nullable ConditionStatus podsMarked) {
  private static final int RENEWALS_IN_A_LEASE = 4;

  /**
   * A node that is seen for the first time was heard of just now. If it has never posted a status
   * nor taken a lease, it was last heard of when it was created, however late that is noticed.
   *
   * @param now on the watcher's clock, which nobody sets
   * @param wallNow on the clock that the time of creation is of
   */
  public static NodeObservation first(
      NodeView node,
      @Nullable String leaseRenewed,
      HealthSettings settings,
      Instant now,
      Instant wallNow) {
    Optional<Condition> ready = node.condition(Condition.READY);
    Instant created = node.creationTimestamp();
    boolean silent = leaseRenewed == null && ready.isEmpty();
    Optional<Condition> lost = ready.filter(c -> c.status() == ConditionStatus.UNKNOWN);
    return new NodeObservation(
        silent && created != null && created.isBefore(wallNow)
            ? now.minus(Duration.between(created, wallNow))
            : now,
        ready.map(Condition::lastHeartbeatTime).orElse(null),
        leaseRenewed,
        lost.map(c -> evictableFrom(c, settings, now, wallNow)).orElse(null),
        null);
  }

  private static Instant evictableFrom(
      Condition lost, HealthSettings settings, Instant now, Instant wallNow) {
    return CountdownStart.monotonic(lost.lastTransitionTime(), now, wallNow)
        .plus(settings.gracePeriod());
  }

  /** After the node was looked at again; it may have posted its status. */
  public NodeObservation posted(NodeView node, Instant now) {
    Instant heartbeat =
        node.condition(Condition.READY).map(Condition::lastHeartbeatTime).orElse(null);
    boolean posted = heartbeat != null && !heartbeat.equals(readyHeartbeat);
    return new NodeObservation(
        posted ? now : heard,
        heartbeat == null ? readyHeartbeat : heartbeat,
        leaseRenewed,
        node.ready() ? null : evictableFrom,
        podsMarked);
  }

  /**
   * Whether the node has been silent for half of its grace period, and for longer than it is
   * between two renewals of its lease, so that it may be about to be lost. Kubelets renew when a
   * quarter of the lease's duration has passed; a quarter of that is for whatever holds them up.
   *
   * @param leaseDuration zero if it has no lease
   */
  public boolean isSuspect(HealthSettings settings, Duration leaseDuration, Instant now) {
    Duration renewal = leaseDuration.dividedBy(RENEWALS_IN_A_LEASE);
    Duration usual = renewal.plus(renewal.dividedBy(4));
    Duration half = settings.gracePeriod().dividedBy(2);
    Duration patience = usual.compareTo(half) > 0 ? usual : half;
    return !heard.isAfter(now.minus(patience));
  }

  /** After the lease was looked at again; it may have been renewed. */
  public NodeObservation renewed(String renewTime, Instant now) {
    return renewTime.equals(leaseRenewed)
        ? this
        : new NodeObservation(now, readyHeartbeat, renewTime, evictableFrom, podsMarked);
  }

  /**
   * The same, as if the node had just been heard of: while the server cannot be reached, silence
   * says nothing about nodes.
   */
  public NodeObservation heardAt(Instant now) {
    return new NodeObservation(now, readyHeartbeat, leaseRenewed, evictableFrom, podsMarked);
  }

  /**
   * The same, with a full grace period from now. When every zone was down, it was the watcher that
   * was cut off, and silence before its return says nothing about the nodes.
   */
  public NodeObservation afterCutOff(HealthSettings settings, Instant now) {
    return new NodeObservation(
        now, readyHeartbeat, leaseRenewed, now.plus(settings.gracePeriod()), podsMarked);
  }

  /** The same, after the watcher itself has written a heartbeat time, which is no sign of life. */
  NodeObservation written(@Nullable Instant heartbeat) {
    return new NodeObservation(
        heard,
        heartbeat == null ? readyHeartbeat : heartbeat,
        leaseRenewed,
        evictableFrom,
        podsMarked);
  }

  NodeObservation podsMarked(@Nullable ConditionStatus marked) {
    return new NodeObservation(heard, readyHeartbeat, leaseRenewed, evictableFrom, marked);
  }

  /** Whether a NoExecute taint may be asked for. */
  boolean mayBeEvicted(Instant now) {
    return evictableFrom == null || !now.isBefore(evictableFrom);
  }
}
