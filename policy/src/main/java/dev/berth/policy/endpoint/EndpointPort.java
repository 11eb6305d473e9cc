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

  /** The port in an EndpointSlice. */
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

  /** The port in an Endpoints object, where an empty name is left out. */
  JsonObject toLegacyTree() {
    return name.isEmpty() ? toTree().without("name") : toTree();
  }
}
