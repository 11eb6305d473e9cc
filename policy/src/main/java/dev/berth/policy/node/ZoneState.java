package dev.berth.policy.node;

/** How badly a zone is off. */
public enum ZoneState {
  /** Some nodes may be unhealthy, but the zone works. */
  NORMAL,
  /** Too many nodes are unhealthy to be a coincidence. */
  PARTIAL_DISRUPTION,
  /** No node is healthy. */
  FULL_DISRUPTION
}
