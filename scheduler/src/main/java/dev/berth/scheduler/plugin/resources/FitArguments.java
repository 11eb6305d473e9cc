package dev.berth.scheduler.plugin.resources;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;

/** Checks {@code NodeResourcesFitArgs}, and fills in defaults. */
final class FitArguments {
  private static final List<String> STRATEGIES =
      List.of("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");

  private FitArguments() {}

  static void check(ConfigFields args) {
    for (String list : List.of("ignoredResources", "ignoredResourceGroups")) {
      JsonArray names = args.array(list);
      for (int i = 0; i < names.size(); i++) {
        String at = args.path(list) + "[" + i + "]";
        if (!(names.get(i) instanceof String name) || name.isEmpty()) {
          args.error(FieldError.invalid(at, names.get(i), "must be a name"));
        } else if (list.equals("ignoredResourceGroups") && name.contains("/")) {
          args.error(FieldError.invalid(at, name, "resource group name can't contain '/'"));
        }
      }
    }
    if (args.has("scoringStrategy")) {
      checkStrategy(args.object("scoringStrategy"));
    }
  }

  private static void checkStrategy(ConfigFields strategy) {
    strategy.onlyHas(Set.of("type", "resources", "requestedToCapacityRatio"));
    String type = strategy.text("type", "");
    if (!STRATEGIES.contains(type)) {
      strategy.error(FieldError.notSupported(strategy.path("type"), type, STRATEGIES));
    }
    ResourceWeight.check(strategy, ResourceWeight.GREATEST);
    if (type.equals("RequestedToCapacityRatio")) {
      checkShape(strategy.object("requestedToCapacityRatio"));
    } else if (strategy.has("requestedToCapacityRatio")) {
      strategy.error(
          FieldError.forbidden(
              strategy.path("requestedToCapacityRatio"),
              "only with the type RequestedToCapacityRatio"));
    }
  }

  private static void checkShape(ConfigFields ratio) {
    ratio.onlyHas(Set.of("shape"));
    List<ConfigFields> points = ratio.objects("shape");
    if (points.isEmpty()) {
      ratio.error(FieldError.required(ratio.path("shape"), "at least one point must be specified"));
    }
    long last = -1;
    for (ConfigFields point : points) {
      point.onlyHas(Set.of("utilization", "score"));
      long utilization = point.inRange("utilization", 0, 0, 100);
      point.inRange("score", 0, 0, 10);
      if (utilization <= last) {
        point.invalid("utilization", utilization, "values must be sorted in increasing order");
      }
      last = utilization;
    }
  }

  static JsonObject withDefaults(JsonObject args) {
    JsonObject strategy =
        args.get("scoringStrategy") instanceof JsonObject given
            ? given
            : JsonObject.of("type", "LeastAllocated");
    return args.with("scoringStrategy", ResourceWeight.withDefaults(strategy));
  }
}
