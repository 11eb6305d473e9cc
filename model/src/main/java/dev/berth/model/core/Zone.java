package dev.berth.model.core;

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
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
  public static final String REGION_LABEL = "topology.kubernetes.io/region";
  public static final String LEGACY_ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone";
  public static final String LEGACY_REGION_LABEL = "failure-domain.beta.kubernetes.io/region";

  /** The zone of all nodes whose labels name none. */
  public static final Zone NONE = new Zone("", "");

  private static final Comparator<Zone> ORDER =
      Comparator.comparing(Zone::region).thenComparing(Zone::name);

  public static Zone ofLabels(JsonObject labels) {
    String zone = labels.text(ZONE_LABEL, labels.text(LEGACY_ZONE_LABEL, ""));
    String region = labels.text(REGION_LABEL, labels.text(LEGACY_REGION_LABEL, ""));
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
