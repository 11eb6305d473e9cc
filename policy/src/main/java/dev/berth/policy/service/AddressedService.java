package dev.berth.policy.service;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.time.Instant;
import java.util.List;

/**
 * A service and its cluster IPs.
 *
 * @param addresses none if it is headless, or only a name for something outside
 */
public record AddressedService(
    JsonObject object,
    ObjectName name,
    boolean isExternalName,
    List<String> addresses,
    Instant creationTimestamp) {

  public static AddressedService read(JsonObject service) {
    JsonObject spec = service.object("spec");
    boolean external = spec.text("type", "").equals("ExternalName");
    List<String> addresses = spec.array("clusterIPs").texts();
    boolean headless = addresses.isEmpty() || addresses.getFirst().equals("None");
    return new AddressedService(
        service,
        ObjectName.of(service),
        external,
        external || headless
            ? List.of()
            : addresses.stream().map(AddressedService::canonical).toList(),
        Metadata.of(service).creationTimestamp().orElse(Instant.EPOCH));
  }

  /** An address as IPAddresses are named. */
  private static String canonical(String address) {
    return Cidr.parseAddress(address).map(Cidr::address).orElse(address);
  }
}
