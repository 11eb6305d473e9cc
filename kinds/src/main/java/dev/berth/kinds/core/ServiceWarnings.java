package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What whoever writes a service is told about it. */
final class ServiceWarnings implements ObjectWarnings {
  private static final String TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
  private static final String EXTERNAL_NAME = "ExternalName";
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public List<String> onCreate(JsonObject service) {
    List<String> warnings = new ArrayList<>();
    JsonObject spec = service.object("spec");
    boolean named = spec.text("type", "").equals(EXTERNAL_NAME);
    boolean headless =
        spec.text("type", "").equals("ClusterIP") && spec.text("clusterIP", "").equals("None");
    if (Metadata.of(service).annotations().has(TOPOLOGY_HINTS)) {
      warnings.add(
          "annotation %s is deprecated, please use service.kubernetes.io/topology-mode instead"
              .formatted(TOPOLOGY_HINTS));
    }
    String address = spec.text("clusterIP", "");
    if (!address.isEmpty() && !address.equals("None")) {
      addresses(spec, "clusterIPs", warnings);
    }
    if (headless) {
      ignoredIfHeadless(spec, warnings);
    }
    addresses(spec, "externalIPs", warnings);
    boolean external = !spec.array("externalIPs").isEmpty();
    if (external && !headless && !named) {
      warnings.add(
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    String balancer = spec.text("loadBalancerIP", "");
    if (!balancer.isEmpty()) {
      AddressWarnings.address(SPEC.field("loadBalancerIP"), balancer, warnings);
    }
    List<String> ranges = spec.array("loadBalancerSourceRanges").texts();
    for (int i = 0; i < ranges.size(); i++) {
      FieldPath at = SPEC.field("loadBalancerSourceRanges").index(i);
      AddressWarnings.range(at, ranges.get(i), warnings);
    }
    if (named && external) {
      warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!named && !spec.text("externalName", "").isEmpty()) {
      warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if (spec.text("trafficDistribution", "").equals("PreferClose")) {
      warnings.add(
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
    return warnings;
  }

  private static void ignoredIfHeadless(JsonObject spec, List<String> warnings) {
    if (!spec.text("loadBalancerIP", "").isEmpty()) {
      warnings.add("spec.loadBalancerIP is ignored for headless services");
    }
    if (!spec.array("externalIPs").isEmpty()) {
      warnings.add("spec.externalIPs is ignored for headless services");
    }
    if (!spec.text("sessionAffinity", "").equals("None")) {
      warnings.add("spec.SessionAffinity is ignored for headless services");
    }
  }

  private static void addresses(JsonObject spec, String list, List<String> warnings) {
    List<String> addresses = spec.array(list).texts();
    for (int i = 0; i < addresses.size(); i++) {
      AddressWarnings.address(SPEC.field(list).index(i), addresses.get(i), warnings);
    }
  }

  @Override
  public List<String> onUpdate(JsonObject service, JsonObject old) {
    return onCreate(service);
  }

  @Override
  public List<String> onSubresource(String subresource, JsonObject service, JsonObject old) {
    return subresource.equals("status") ? AddressWarnings.ofLoadBalancer(service) : List.of();
  }
}
