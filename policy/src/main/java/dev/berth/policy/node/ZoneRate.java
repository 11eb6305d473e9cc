package dev.berth.policy.node;

/**
 * How fast the nodes of a zone may be emptied, and why.
 *
 * @param nodesPerSecond at most so many nodes get their first NoExecute taint in a second
 */
public record ZoneRate(ZoneHealth health, ZoneState state, Reason reason, double nodesPerSecond) {

  /** Which rule set the rate. */
  public enum Reason {
    /** The zone works: the normal rate. */
    ZONE_WORKS,
    /** The zone is wholly down while another works, where its pods can go: the normal rate. */
    ZONE_DOWN,
    /** The zone is disrupted and large: the secondary rate. */
    LARGE_ZONE_DISRUPTED,
    /** The zone is disrupted and small: nothing, as a few nodes would have to take all its pods. */
    SMALL_ZONE_DISRUPTED,
    /** Every zone is wholly down: nothing, as it is the watcher that is cut off. */
    ALL_ZONES_DOWN
  }
}
