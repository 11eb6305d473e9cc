package dev.berth.agent.join;

import dev.berth.agent.machine.NetworkAddresses;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.RequestedNames;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names that a node serves under: those that the server shows as its addresses. */
public final class ServingNames {
  private ServingNames() {}

  /** Empty while the node has no addresses. */
  public static Optional<RequestedNames> of(JsonObject node) {
    SortedSet<String> hostnames = new TreeSet<>();
    SortedSet<String> addresses = new TreeSet<>();
    for (JsonObject each : node.object("status").array("addresses").objects()) {
      String text = each.text("address", "");
      Optional<String> address = NetworkAddresses.canonical(text);
      if (address.isPresent()) {
        addresses.add(address.get());
      } else if (!text.isEmpty()) {
        hostnames.add(text);
      }
    }
    return addresses.isEmpty()
        ? Optional.empty()
        : Optional.of(
            CertificatePurpose.names(
                Metadata.of(node).name(), List.copyOf(hostnames), List.copyOf(addresses)));
  }
}
