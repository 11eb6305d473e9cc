package dev.berth.model.network;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * The cluster IPs of a Service.
 *
 * @param addresses as they are written; none if it is headless, or only a name for something
 *     outside
 */
public record ClusterIpsView(
    ObjectName name, boolean isExternalName, List<String> addresses, Instant creationTimestamp) {

  public static ClusterIpsView read(JsonObject service) {
    JsonObject spec = service.object("spec");
    boolean external = spec.text("type", "").equals("ExternalName");
    List<String> addresses = spec.array("clusterIPs").texts();
    boolean headless = addresses.isEmpty() || addresses.getFirst().equals("None");
    return new ClusterIpsView(
        ObjectName.of(service),
        external,
        external || headless ? List.of() : List.copyOf(addresses),
        Metadata.of(service).creationTimestamp().orElse(Instant.EPOCH));
  }
}
