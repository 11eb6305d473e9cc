package dev.berth.policy.service;

import dev.berth.model.network.ClusterIpsView;
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
    ClusterIpsView view = ClusterIpsView.read(service);
    return new AddressedService(
        service,
        view.name(),
        view.isExternalName(),
        view.addresses().stream().map(AddressedService::canonical).toList(),
        view.creationTimestamp());
  }

  /** An address as IPAddresses are named. */
  private static String canonical(String address) {
    return Cidr.parseAddress(address).map(Cidr::address).orElse(address);
  }
}
