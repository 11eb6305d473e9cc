package dev.berth.policy.node;

import dev.berth.model.core.Zone;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How fast the nodes of a zone may be emptied, and why.
 *
 * @param nodesPerSecond the most nodes that may get their first NoExecute taint in a second
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

  /**
   * Whether it is worth an event.
   *
   * @param before the zone's rate until now; null if it had none. A zone that works when it is
   *     first seen is no news.
   */
  public boolean isNewsAfter(@Nullable ZoneRate before) {
    return before == null
        ? reason != Reason.ZONE_WORKS
        : before.reason != reason || before.state != state;
  }

  /** All of it in a sentence, for people. */
  public String explanation() {
    return explanation("is now");
  }

  /** The same of a zone that is not so yet. */
  public String expectation() {
    return explanation("would be");
  }

  private String explanation(String verb) {
    String zone =
        health.zone().equals(Zone.NONE)
            ? "The zone of nodes without zone labels"
            : "Zone " + health.zone();
    return "%s %s %s: %d of %d nodes unhealthy. %s."
        .formatted(zone, verb, state.text(), health.unhealthy(), health.nodes(), consequence());
  }

  private String consequence() {
    return switch (reason) {
      case ZONE_WORKS ->
          "Unhealthy nodes are emptied at the normal rate of %s, because the zone works"
              .formatted(perSecond());
      case ZONE_DOWN ->
          "Its nodes are emptied at the normal rate of %s, because their pods can go to another zone"
              .formatted(perSecond());
      case LARGE_ZONE_DISRUPTED ->
          "Unhealthy nodes are emptied at the secondary rate of %s, because so many failed together"
              .formatted(perSecond());
      case SMALL_ZONE_DISRUPTED ->
          "No node is emptied, because so many failed together and the zone is too small for the"
              + " others to take all their pods";
      case ALL_ZONES_DOWN ->
          "No node is emptied anywhere, because every zone is down: it is likely that this"
              + " controller is cut off from the nodes";
    };
  }

  private String perSecond() {
    return BigDecimal.valueOf(nodesPerSecond).stripTrailingZeros().toPlainString() + " a second";
  }
}
