package dev.berth.sim.explain;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** Changes what a pod's containers request. */
final class Requests {
  private Requests() {}

  /**
   * A pod's specification with a request lowered, of the container that requests the most.
   *
   * @param amount as {@link Amounts} counts it
   */
  static JsonObject lower(JsonObject spec, String resource, long amount) {
    JsonArray containers = spec.array("containers");
    int most = 0;
    Quantity largest = Quantity.ZERO;
    for (int i = 0; i < containers.size(); i++) {
      Quantity asked = requested(containers.objects().get(i), resource);
      if (asked.compareTo(largest) > 0) {
        most = i;
        largest = asked;
      }
    }
    Quantity less = largest.minus(Amounts.quantity(resource, amount));
    if (containers.isEmpty() || less.signum() < 0) {
      return spec;
    }
    JsonObject container = containers.objects().get(most);
    JsonObject lowered =
        container.update(
            "resources",
            resources ->
                resources.update("requests", requests -> requests.with(resource, less.toString())));
    return spec.with("containers", containers.with(most, lowered));
  }

  private static Quantity requested(JsonObject container, String resource) {
    return ResourceList.read(container.object("resources").object("requests")).get(resource);
  }
}
