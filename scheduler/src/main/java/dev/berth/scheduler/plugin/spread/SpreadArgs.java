package dev.berth.scheduler.plugin.spread;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.FieldError;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

  static void check(ConfigFields args) {
    String type = args.text("defaultingType", "System");
    List<ConfigFields> constraints = args.objects("defaultConstraints");
    if (!type.equals("System") && !type.equals("List")) {
      args.error(
          FieldError.notSupported(args.path("defaultingType"), type, List.of("System", "List")));
    } else if (type.equals("System") && !constraints.isEmpty()) {
      args.invalid("defaultingType", type, "when .defaultConstraints are not empty");
    }
    Set<List<String>> seen = new HashSet<>();
    for (ConfigFields constraint : constraints) {
      checkConstraint(constraint, seen);
    }
  }

  private static void checkConstraint(ConfigFields constraint, Set<List<String>> seen) {
    long maxSkew = constraint.integer("maxSkew", 0);
    if (maxSkew <= 0) {
      constraint.invalid("maxSkew", maxSkew, "not in valid range (0, inf)");
    }
    String key = constraint.text("topologyKey", "");
    if (key.isEmpty()) {
      constraint.error(FieldError.required(constraint.path("topologyKey"), "can not be empty"));
    }
    List<String> actions = List.of("DoNotSchedule", "ScheduleAnyway");
    String action = constraint.text("whenUnsatisfiable", "");
    if (!actions.contains(action)) {
      constraint.error(
          FieldError.notSupported(constraint.path("whenUnsatisfiable"), action, actions));
    }
    if (constraint.has("labelSelector")) {
      constraint.error(
          FieldError.forbidden(
              constraint.path("labelSelector"),
              "constraint must not define a selector, as they deduced for each pod"));
    }
    if (!seen.add(List.of(key, action))) {
      constraint.error(
          FieldError.duplicate(constraint.path("topologyKey"), "{" + key + ", " + action + "}"));
    }
  }

  /** Reads {@code PodTopologySpreadArgs} of a configuration file. */
  public static SpreadArgs read(JsonObject args) {
    return args.text("defaultingType", "System").equals("List")
        ? new SpreadArgs(
            SpreadConstraint.read(args.array("defaultConstraints"), JsonObject.EMPTY), false)
        : SYSTEM;
  }
}
