package dev.berth.kinds.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What follows from the type of a service. */
final class ServiceTraits {
  static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");

  private ServiceTraits() {}

  private static String type(JsonObject spec) {
    return spec.text("type", "");
  }

  static boolean hasKnownType(JsonObject spec) {
    return TYPES.contains(type(spec));
  }

  static boolean isExternalName(JsonObject spec) {
    return type(spec).equals("ExternalName");
  }

  static boolean isLoadBalancer(JsonObject spec) {
    return type(spec).equals("LoadBalancer");
  }

  static boolean hasNodePorts(JsonObject spec) {
    return isLoadBalancer(spec) || type(spec).equals("NodePort");
  }

  /** Whether nodes tell a load balancer if they have pods of the service. */
  static boolean hasHealthCheck(JsonObject spec) {
    return isLoadBalancer(spec) && spec.text("externalTrafficPolicy", "").equals("Local");
  }

  static boolean isReachedFromOutside(JsonObject spec) {
    return hasNodePorts(spec)
        || (type(spec).equals("ClusterIP") && !spec.array("externalIPs").isEmpty());
  }

  static boolean isHeadless(JsonObject spec) {
    List<String> addresses = spec.array("clusterIPs").texts();
    return addresses.size() == 1
        ? addresses.getFirst().equals("None")
        : addresses.isEmpty() && spec.text("clusterIP", "").equals("None");
  }
}
