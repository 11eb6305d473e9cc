package dev.berth.policy.service;

import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.tree.JsonObject;
import java.util.Collection;
import java.util.List;

/**
 * What is known of a ServiceCIDR.
 *
 * @param object the ServiceCIDR itself
 * @param all all ServiceCIDRs, this one included
 * @param allocated the addresses that services have
 */
public record ServiceCidrSnapshot(
    JsonObject object, List<ServiceCidrView> all, Collection<String> allocated) {

  public ServiceCidrSnapshot {
    all = List.copyOf(all);
  }

  ServiceCidrView cidr() {
    return ServiceCidrView.read(object);
  }
}
