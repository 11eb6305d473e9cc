package dev.berth.policy.endpoint;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port of pods that a service leads to.
 *
 * @param name the service's name for it; empty if it has none
 * @param appProtocol null if nobody says
 */
record EndpointPort(String name, String protocol, long port, @Nullable String appProtocol) {

  /** As slices tell of it. */
  JsonObject toTree() {
    return new JsonObject.Builder()
        .put("name", name)
        .put("protocol", protocol)
        .put("port", port)
        .putIfPresent("appProtocol", appProtocol)
        .build();
  }

  static JsonArray toTree(List<EndpointPort> ports) {
    return JsonArray.copyOf(ports.stream().map(EndpointPort::toTree).toList());
  }

  /** As the older Endpoints object tells of it, which leaves out a name that is empty. */
  JsonObject toLegacyTree() {
    return name.isEmpty() ? toTree().without("name") : toTree();
  }
}
