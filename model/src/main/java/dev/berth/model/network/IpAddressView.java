package dev.berth.model.network;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/**
 * An IPAddress: an address that is taken, and what has it.
 *
 * @param name the address
 * @param ofService whether a service has it
 * @param parent the name of what has it
 * @param family what its label says
 * @param managedBy what its label says; empty if there is none
 */
public record IpAddressView(
    String name,
    boolean ofService,
    ObjectName parent,
    String family,
    String managedBy,
    Instant creationTimestamp) {
  public static final String FAMILY = "ipaddress.kubernetes.io/ip-family";
  public static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";

  /** Who manages the addresses of services. */
  public static final String ALLOCATOR = "ipallocator.k8s.io";

  public static IpAddressView read(JsonObject tree) {
    Metadata metadata = Metadata.of(tree);
    JsonObject parent = tree.object("spec").object("parentRef");
    return new IpAddressView(
        metadata.name(),
        parent.text("group", "").isEmpty() && parent.text("resource", "").equals("services"),
        new ObjectName(parent.text("namespace", ""), parent.text("name", "")),
        metadata.labels().text(FAMILY, ""),
        metadata.labels().text(MANAGED_BY, ""),
        metadata.creationTimestamp().orElse(Instant.EPOCH));
  }

  public boolean isAllocated() {
    return managedBy.equals(ALLOCATOR);
  }

  /** The IPAddress of a service. */
  public static JsonObject ofService(String address, ObjectName service) {
    JsonObject labels =
        new JsonObject.Builder().put(FAMILY, familyOf(address)).put(MANAGED_BY, ALLOCATOR).build();
    JsonObject parent =
        new JsonObject.Builder()
            .put("resource", "services")
            .put("namespace", service.namespace())
            .put("name", service.name())
            .build();
    return new JsonObject.Builder()
        .put(
            "metadata", new JsonObject.Builder().put("name", address).put("labels", labels).build())
        .put("spec", JsonObject.of("parentRef", parent))
        .build();
  }

  /** IPv4 or IPv6, as services call them. */
  public static String familyOf(String address) {
    return address.indexOf(':') >= 0 ? "IPv6" : "IPv4";
  }
}
