package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.List;
import java.util.Set;

/** Where a load balancer serves a service. */
final class LoadBalancerStatus {
  private static final FieldPath POINTS = FieldPath.of("status", "loadBalancer", "ingress");
  private static final List<String> MODES = List.of("Proxy", "VIP");

  private LoadBalancerStatus() {}

  static JsonObject defaults(JsonObject service) {
    JsonObject status = service.object("status");
    if (points(service).isEmpty()) {
      return service;
    }
    JsonObject balancer = status.object("loadBalancer");
    return service.with(
        "status",
        status.with(
            "loadBalancer",
            balancer.with(
                "ingress",
                balancer
                    .array("ingress")
                    .mapObjects(point ->
                        point.text("ip", "").isEmpty()
                            ? point
                            : FieldRules.orDefault(point, "ipMode", "VIP")))));
  }

  private static List<JsonObject> points(JsonObject service) {
    return service.object("status").object("loadBalancer").array("ingress").objects();
  }

  static void validate(JsonObject service, JsonObject old, FieldErrorList problems) {
    List<JsonObject> points = points(service);
    if (!ServiceTraits.isLoadBalancer(service.object("spec"))) {
      if (!points.isEmpty()) {
        problems.forbidden(POINTS, "may only be used when `spec.type` is 'LoadBalancer'");
      }
      return;
    }
    Set<String> known = Set.copyOf(points(old).stream().map(p -> p.text("ip", "")).toList());
    for (int i = 0; i < points.size(); i++) {
      point(points.get(i), POINTS.index(i), known, problems);
    }
  }

  private static void point(
      JsonObject point, FieldPath at, Set<String> known, FieldErrorList problems) {
    String ip = point.text("ip", "");
    if (!ip.isEmpty() && !known.contains(ip)) {
      problems.invalid(at.field("ip"), ip, AddressRules.address(ip));
    }
    String mode = point.text("ipMode");
    if (mode == null && !ip.isEmpty()) {
      problems.required(at.field("ipMode"), "must be specified when `ip` is set");
    } else if (mode != null && ip.isEmpty()) {
      problems.forbidden(at.field("ipMode"), "may not be specified when `ip` is not set");
    } else if (mode != null) {
      problems.oneOf(at.field("ipMode"), mode, MODES);
    }
    String name = point.text("hostname", "");
    if (!name.isEmpty()) {
      problems.invalid(at.field("hostname"), name, NameRules.dns1123Subdomain(name));
      if (Cidr.parseAddress(name).isPresent()) {
        problems.invalid(at.field("hostname"), name, "must be a DNS name, not an IP address");
      }
    }
  }
}
