package dev.berth.scheduler.plugin.spread;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * How pods are spread that do not say how.
 *
 * @param system whether that is the product's choice and not the administrator's; nodes without
 *     some of the labels are scored nevertheless then
 */
public record SpreadArgs(List<SpreadConstraint> defaults, boolean system) {

  /** A little over zones and hosts. */
  public static final SpreadArgs SYSTEM =
      new SpreadArgs(
          List.of(preferred(WellKnownLabels.HOSTNAME, 3), preferred(WellKnownLabels.ZONE, 5)),
          true);

  public SpreadArgs {
    defaults = List.copyOf(defaults);
  }

  private static SpreadConstraint preferred(String topologyKey, long maxSkew) {
    return new SpreadConstraint(maxSkew, topologyKey, false, LabelSelector.NOTHING, 1, true, false);
  }

  /** Reads {@code PodTopologySpreadArgs} of a configuration file. */
  public static SpreadArgs read(JsonObject args) {
    return args.text("defaultingType", "System").equals("List")
        ? new SpreadArgs(
            SpreadConstraint.read(args.array("defaultConstraints"), JsonObject.EMPTY), false)
        : SYSTEM;
  }
}
