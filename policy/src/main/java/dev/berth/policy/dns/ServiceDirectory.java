package dev.berth.policy.dns;

import dev.berth.model.resource.ObjectName;
import java.util.Collection;
import java.util.Optional;

/** What is known of a cluster's services, at one moment or as it changes. */
public interface ServiceDirectory {
  Optional<DnsService> service(ObjectName name);

  boolean hasNamespace(String namespace);

  /** The services and headless services' endpoints that have an address. */
  Collection<DnsService> withAddress(String address);

  /** The addresses at which the cluster's names are served. */
  Collection<String> nameServers();
}
