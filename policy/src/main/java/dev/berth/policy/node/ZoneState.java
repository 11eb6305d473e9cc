package dev.berth.policy.node;

/** How many nodes of a zone work. */
public enum ZoneState {
  /** Some nodes may be unhealthy, but the zone works. */
  NORMAL("Normal"),
  /** Too many nodes are unhealthy to be a coincidence. */
  PARTIAL_DISRUPTION("PartialDisruption"),
  /** No node is healthy. */
  FULL_DISRUPTION("FullDisruption");

  private final String text;

  ZoneState(String text) {
    this.text = text;
  }

  /** The word for events and metrics. */
  public String text() {
    return text;
  }
}
