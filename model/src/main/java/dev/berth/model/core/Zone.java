package dev.berth.model.core;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.util.Comparator;

/**
 * A failure domain of nodes: what fails together is held back together.
 *
 * <p>The older labels of both names still count, as nodes of old clouds carry only those.
 *
 * @param region empty if the node's labels name none
 * @param name empty if the node's labels name none
 */
public record Zone(String region, String name) implements Comparable<Zone> {
  /** The zone of all nodes whose labels name none. */
  public static final Zone NONE = new Zone("", "");

  private static final Comparator<Zone> ORDER =
      Comparator.comparing(Zone::region).thenComparing(Zone::name);

  public static Zone ofLabels(JsonObject labels) {
    String zone = labels.text(WellKnownLabels.ZONE, labels.text(WellKnownLabels.BETA_ZONE, ""));
    String region =
        labels.text(WellKnownLabels.REGION, labels.text(WellKnownLabels.BETA_REGION, ""));
    return zone.isEmpty() && region.isEmpty() ? NONE : new Zone(region, zone);
  }

  @Override
  public int compareTo(Zone other) {
    return ORDER.compare(this, other);
  }

  /** For events and metrics: {@code europe/a}; empty for {@link #NONE}. */
  @Override
  public String toString() {
    return region.isEmpty() ? name : name.isEmpty() ? region : region + "/" + name;
  }
}
