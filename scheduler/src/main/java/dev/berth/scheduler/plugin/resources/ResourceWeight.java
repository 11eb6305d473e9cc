package dev.berth.scheduler.plugin.resources;

import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** How much a resource counts when nodes are compared by what is left of their resources. */
record ResourceWeight(String resource, long weight) {
  private static final long GREATEST = 100;

  static final List<ResourceWeight> DEFAULTS =
      List.of(new ResourceWeight(ResourceList.CPU, 1), new ResourceWeight(ResourceList.MEMORY, 1));

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
