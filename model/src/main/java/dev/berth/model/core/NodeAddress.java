package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * An address of a node.
 *
 * @param type one of {@link #TYPES}
 */
public record NodeAddress(String type, String address) {
  public static final String HOSTNAME = "Hostname";

  /** Those that Kubernetes knows. */
  public static final List<String> TYPES =
      List.of("InternalIP", "ExternalIP", HOSTNAME, "InternalDNS", "ExternalDNS");

  public static NodeAddress read(JsonObject tree) {
    return new NodeAddress(tree.text("type", ""), tree.text("address", ""));
  }

  public JsonObject toTree() {
    return new JsonObject.Builder().put("type", type).put("address", address).build();
  }

  public boolean isHostname() {
    return type.equals(HOSTNAME);
  }
}
