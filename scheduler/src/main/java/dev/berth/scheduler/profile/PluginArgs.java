package dev.berth.scheduler.profile;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of plugins: {@code profiles[*].pluginConfig}, checked, with upstream's defaults.
 */
final class PluginArgs {
  private static final JsonArray DEFAULT_RESOURCES =
      JsonArray.of(
          JsonObject.of("name", "cpu").with("weight", 1L),
          JsonObject.of("name", "memory").with("weight", 1L));

  private static final List<String> STRATEGIES =
      List.of("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");

  /** The plugins that take arguments, with the fields of theirs. */
  private static final Map<String, Set<String>> FIELDS =
      Map.of(
          KnownPlugins.DEFAULT_PREEMPTION,
          Set.of("minCandidateNodesPercentage", "minCandidateNodesAbsolute"),
          KnownPlugins.INTER_POD_AFFINITY,
          Set.of("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"),
          KnownPlugins.NODE_AFFINITY,
          Set.of("addedAffinity"),
          KnownPlugins.NODE_RESOURCES_BALANCED_ALLOCATION,
          Set.of("resources"),
          KnownPlugins.NODE_RESOURCES_FIT,
          Set.of("ignoredResources", "ignoredResourceGroups", "scoringStrategy"),
          KnownPlugins.POD_TOPOLOGY_SPREAD,
          Set.of("defaultConstraints", "defaultingType"),
          KnownPlugins.VOLUME_BINDING,
          Set.of("bindTimeoutSeconds", "shape"));

  private PluginArgs() {}

  /** The arguments by plugin; every plugin that takes any is there. */
  static Map<String, JsonObject> read(Fields profile) {
    Map<String, JsonObject> args = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (Fields config : profile.objects("pluginConfig")) {
      config.onlyHas(Set.of("name", "args"));
      String name = config.text("name", "");
      if (!seen.add(name)) {
        config.error(FieldError.duplicate(config.path("name"), name));
      } else if (KnownPlugins.find(name).isEmpty()) {
        config.error(FieldError.notSupported(config.path("name"), name, KnownPlugins.names()));
      } else if (!FIELDS.containsKey(name)) {
        config.error(FieldError.forbidden(config.path("args"), name + " takes no arguments"));
      } else {
        args.put(name, read(name, config.object("args")));
      }
    }
    for (String name : FIELDS.keySet()) {
      args.computeIfAbsent(name, _ -> withDefaults(name, JsonObject.EMPTY));
    }
    return args;
  }

  private static JsonObject read(String plugin, Fields args) {
    Set<String> known = new HashSet<>(FIELDS.getOrDefault(plugin, Set.of()));
    known.add("apiVersion");
    known.add("kind");
    args.onlyHas(known);
    String kind = args.text("kind", plugin + "Args");
    if (!kind.equals(plugin + "Args")) {
      args.error(FieldError.notSupported(args.path("kind"), kind, List.of(plugin + "Args")));
    }
    String version = args.text("apiVersion", ConfigurationReader.API_VERSION);
    if (!version.equals(ConfigurationReader.API_VERSION)) {
      args.error(
          FieldError.notSupported(
              args.path("apiVersion"), version, List.of(ConfigurationReader.API_VERSION)));
    }
    check(plugin, args);
    return withDefaults(plugin, args.tree().without("apiVersion").without("kind"));
  }

  private static void check(String plugin, Fields args) {
    switch (plugin) {
      case KnownPlugins.DEFAULT_PREEMPTION -> {
        long percentage = inRange(args, "minCandidateNodesPercentage", 10, 0, 100);
        long absolute = inRange(args, "minCandidateNodesAbsolute", 100, 0, Integer.MAX_VALUE);
        if (percentage == 0 && absolute == 0) {
          args.invalid(
              "minCandidateNodesPercentage",
              0L,
              "cannot be zero at the same time as minCandidateNodesAbsolute");
        }
      }
      case KnownPlugins.INTER_POD_AFFINITY -> {
        inRange(args, "hardPodAffinityWeight", 1, 0, 100);
        args.flag("ignorePreferredTermsOfExistingPods", false);
      }
      case KnownPlugins.NODE_AFFINITY -> args.object("addedAffinity");
      case KnownPlugins.NODE_RESOURCES_BALANCED_ALLOCATION -> resources(args, 1);
      case KnownPlugins.NODE_RESOURCES_FIT -> fit(args);
      case KnownPlugins.POD_TOPOLOGY_SPREAD -> spread(args);
      case KnownPlugins.VOLUME_BINDING ->
          inRange(args, "bindTimeoutSeconds", 600, 0, Long.MAX_VALUE);
      default -> throw new IllegalStateException(plugin + " takes no arguments");
    }
  }

  private static long inRange(Fields args, String name, long whenAbsent, long min, long max) {
    long value = args.integer(name, whenAbsent);
    if (value < min || value > max) {
      String most = max >= Integer.MAX_VALUE ? "inf)" : max + "]";
      args.invalid(name, value, "not in valid range [" + min + ", " + most);
    }
    return value;
  }

  private static void resources(Fields parent, long most) {
    Set<String> names = new HashSet<>();
    for (Fields resource : parent.objects("resources")) {
      resource.onlyHas(Set.of("name", "weight"));
      String name = resource.text("name", "");
      long weight = resource.integer("weight", 1);
      if (name.isEmpty()) {
        resource.error(FieldError.required(resource.path("name"), "a resource is named"));
      } else if (!names.add(name)) {
        resource.error(FieldError.duplicate(resource.path("name"), name));
      }
      if (weight < 0 || weight > most) {
        resource.invalid(
            "weight",
            weight,
            most == 1
                ? "must be 1"
                : "resource weight of " + name + " not in valid range (0, 100]");
      }
    }
  }

  private static void fit(Fields args) {
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
    if (!args.has("scoringStrategy")) {
      return;
    }
    Fields strategy = args.object("scoringStrategy");
    strategy.onlyHas(Set.of("type", "resources", "requestedToCapacityRatio"));
    String type = strategy.text("type", "");
    if (!STRATEGIES.contains(type)) {
      strategy.error(FieldError.notSupported(strategy.path("type"), type, STRATEGIES));
    }
    resources(strategy, 100);
    boolean byRatio = type.equals("RequestedToCapacityRatio");
    if (byRatio) {
      shape(strategy.object("requestedToCapacityRatio"));
    } else if (strategy.has("requestedToCapacityRatio")) {
      strategy.error(
          FieldError.forbidden(
              strategy.path("requestedToCapacityRatio"),
              "only with the type RequestedToCapacityRatio"));
    }
  }

  private static void shape(Fields ratio) {
    ratio.onlyHas(Set.of("shape"));
    List<Fields> points = ratio.objects("shape");
    if (points.isEmpty()) {
      ratio.error(FieldError.required(ratio.path("shape"), "at least one point must be specified"));
    }
    long last = -1;
    for (Fields point : points) {
      point.onlyHas(Set.of("utilization", "score"));
      long utilization = inRange(point, "utilization", 0, 0, 100);
      inRange(point, "score", 0, 0, 10);
      if (utilization <= last) {
        point.invalid("utilization", utilization, "values must be sorted in increasing order");
      }
      last = utilization;
    }
  }

  private static void spread(Fields args) {
    String type = args.text("defaultingType", "System");
    List<Fields> constraints = args.objects("defaultConstraints");
    if (!type.equals("System") && !type.equals("List")) {
      args.error(
          FieldError.notSupported(args.path("defaultingType"), type, List.of("System", "List")));
    } else if (type.equals("System") && !constraints.isEmpty()) {
      args.invalid("defaultingType", type, "when .defaultConstraints are not empty");
    }
    Set<List<String>> seen = new HashSet<>();
    for (Fields constraint : constraints) {
      long maxSkew = constraint.integer("maxSkew", 0);
      if (maxSkew <= 0) {
        constraint.invalid("maxSkew", maxSkew, "not in valid range (0, inf)");
      }
      String key = constraint.text("topologyKey", "");
      if (key.isEmpty()) {
        constraint.error(FieldError.required(constraint.path("topologyKey"), "can not be empty"));
      }
      String action = constraint.text("whenUnsatisfiable", "");
      if (!Set.of("DoNotSchedule", "ScheduleAnyway").contains(action)) {
        constraint.error(
            FieldError.notSupported(
                constraint.path("whenUnsatisfiable"),
                action,
                List.of("DoNotSchedule", "ScheduleAnyway")));
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
  }

  private static JsonObject withDefaults(String plugin, JsonObject args) {
    return switch (plugin) {
      case KnownPlugins.DEFAULT_PREEMPTION ->
          filled(
              filled(args, "minCandidateNodesPercentage", 10L), "minCandidateNodesAbsolute", 100L);
      case KnownPlugins.INTER_POD_AFFINITY -> filled(args, "hardPodAffinityWeight", 1L);
      case KnownPlugins.NODE_RESOURCES_BALANCED_ALLOCATION -> withResources(args);
      case KnownPlugins.NODE_RESOURCES_FIT ->
          args.with(
              "scoringStrategy",
              withResources(
                  args.get("scoringStrategy") instanceof JsonObject strategy
                      ? strategy
                      : JsonObject.of("type", "LeastAllocated")));
      case KnownPlugins.POD_TOPOLOGY_SPREAD -> filled(args, "defaultingType", "System");
      case KnownPlugins.VOLUME_BINDING -> filled(args, "bindTimeoutSeconds", 600L);
      default -> args;
    };
  }

  private static JsonObject filled(JsonObject args, String name, Object value) {
    return args.has(name) ? args : args.with(name, value);
  }

  private static JsonObject withResources(JsonObject tree) {
    if (!(tree.get("resources") instanceof JsonArray given) || given.isEmpty()) {
      return tree.with("resources", DEFAULT_RESOURCES);
    }
    List<Object> filled =
        given.values().stream()
            .<Object>map(value ->
                value instanceof JsonObject resource
                        && resource.get("weight") instanceof Long weight
                        && weight != 0
                    ? resource
                    : value instanceof JsonObject bare ? bare.with("weight", 1L) : value)
            .toList();
    return tree.with("resources", JsonArray.copyOf(filled));
  }
}
