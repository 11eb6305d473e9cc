package dev.berth.scheduler.plugin.resources;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.core.ResourceList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How much a resource counts when nodes are compared by what is left of their resources. */
record ResourceWeight(String resource, long weight) {
  static final long GREATEST = 100;

  static final List<ResourceWeight> DEFAULTS =
      List.of(new ResourceWeight(ResourceList.CPU, 1), new ResourceWeight(ResourceList.MEMORY, 1));

  /**
   * Checks the field {@code resources} of arguments.
   *
   * @param max the greatest weight
   */
  static void check(ConfigFields parent, long max) {
    Set<String> names = new HashSet<>();
    for (ConfigFields resource : parent.objects("resources")) {
      resource.onlyHas(Set.of("name", "weight"));
      String name = resource.text("name", "");
      long weight = resource.integer("weight", 1);
      if (name.isEmpty()) {
        resource.error(FieldError.required(resource.path("name"), "a resource is named"));
      } else if (!names.add(name)) {
        resource.error(FieldError.duplicate(resource.path("name"), name));
      }
      if (weight < 0 || weight > max) {
        resource.invalid(
            "weight",
            weight,
            max == 1 ? "must be 1" : "resource weight of " + name + " not in valid range (0, 100]");
      }
    }
  }

  /** Fills in the resources that count by default, and the weight of those that have none. */
  static JsonObject withDefaults(JsonObject args) {
    if (!(args.get("resources") instanceof JsonArray given) || given.isEmpty()) {
      return args.with(
          "resources", JsonArray.copyOf(DEFAULTS.stream().map(ResourceWeight::toTree).toList()));
    }
    List<Object> weighted = new ArrayList<>();
    for (Object value : given.values()) {
      boolean lacksWeight =
          value instanceof JsonObject resource && resource.integer("weight").orElse(0) == 0;
      weighted.add(lacksWeight ? ((JsonObject) value).with("weight", 1L) : value);
    }
    return args.with("resources", JsonArray.copyOf(weighted));
  }

  private JsonObject toTree() {
    return JsonObject.of("name", resource).with("weight", weight);
  }

  static List<ResourceWeight> read(List<JsonObject> resources) {
    return resources.isEmpty() ? DEFAULTS : resources.stream().map(ResourceWeight::read).toList();
  }

  private static ResourceWeight read(JsonObject resource) {
    String name = resource.text("name", "");
    long weight = resource.integer("weight").orElse(1);
    if (weight < 1 || weight > GREATEST) {
      throw new IllegalArgumentException(
          "The weight of the resource " + name + " is from 1 to " + GREATEST + ", not " + weight);
    }
    return new ResourceWeight(name, weight);
  }
}
